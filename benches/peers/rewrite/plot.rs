//! The figures as a picture: a bar for each contestant and corpus, on a logarithmic scale.

use std::fmt::Write;

use super::contestant::Kind;
use super::measure::Row;
use super::report::Report;

const WIDTH: f64 = 860.0;
/// Where bars begin: names stand to the left of it.
const LEFT: f64 = 190.0;
/// Where the longest may end: its figure stands to the right of it.
const RIGHT: f64 = WIDTH - 70.0;
const TOP: f64 = 92.0;
const BAR: f64 = 13.0;
const GAP: f64 = 11.0;

/// The colours of light and dark pages differ; the picture has no background of its own.
const STYLE: &str = "\
text { font: 12px system-ui, sans-serif; fill: #1f2328 }
.title { font-size: 16px; font-weight: 600 }
.small { font-size: 10.5px; fill: #59636e }
.grid { stroke: #d1d9e0; stroke-width: 1 }
.own { fill: #0969da } .peer { fill: #bc4c00 } .floor { fill: #818b98 }
@media (prefers-color-scheme: dark) {
text { fill: #f0f6fc } .small { fill: #9198a1 } .grid { stroke: #3d444d }
.own { fill: #4493f8 } .peer { fill: #db6d28 } .floor { fill: #656c76 }
}";

/// How strong the bars of the first corpus are, of the second, and so on.
const STRENGTHS: [f64; 3] = [1.0, 0.7, 0.45];

pub(crate) fn svg(report: &Report<'_>) -> String {
    let mut text = String::new();
    write_svg(report, &mut text).expect("a string takes all text");
    text
}

fn write_svg(report: &Report<'_>, text: &mut String) -> std::fmt::Result {
    let scale = Scale::over(report.rows);
    let group = BAR * count(report.corpora.len()) + GAP;
    let bottom = TOP + group * count(report.rows.len());
    let height = bottom + 46.0;
    writeln!(
        text,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-labelledby=\"title\">"
    )?;
    writeln!(
        text,
        "<title id=\"title\">Making the links of HTML documents absolute, MB/s</title>"
    )?;
    writeln!(text, "<style>{STYLE}</style>")?;
    writeln!(
        text,
        "<text class=\"title\" x=\"12\" y=\"24\">Making the links of HTML documents absolute: MB of input in a second</text>"
    )?;
    write_machine(report, text)?;
    write_grid(&scale, bottom, text)?;
    for (number, row) in report.rows.iter().enumerate() {
        let y = TOP + group * count(number);
        let middle = y + (group - GAP) / 2.0 + 4.0;
        writeln!(
            text,
            "<text x=\"{:.1}\" y=\"{middle:.1}\" text-anchor=\"end\">{}</text>",
            LEFT - 8.0,
            escaped(row.name)
        )?;
        let class = match row.kind {
            Kind::Floor => "floor",
            Kind::Own => "own",
            Kind::Peer => "peer",
        };
        for (number, figure) in row.figures.iter().enumerate() {
            let (y, end) = (y + BAR * count(number), scale.x(figure.speed));
            let strength = STRENGTHS[number % STRENGTHS.len()];
            writeln!(
                text,
                "<rect class=\"{class}\" fill-opacity=\"{strength}\" x=\"{LEFT}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{:.1}\"/>",
                (end - LEFT).max(1.0),
                BAR - 2.0
            )?;
            writeln!(
                text,
                "<text class=\"small\" x=\"{:.1}\" y=\"{:.1}\">{:.0}</text>",
                end + 5.0,
                y + BAR - 4.0,
                figure.speed
            )?;
        }
    }
    let names: Vec<&str> = report.corpora.iter().map(|corpus| &*corpus.name).collect();
    writeln!(
        text,
        "<text class=\"small\" x=\"12\" y=\"{:.1}\">{}</text>",
        bottom + 16.0,
        escaped(&format!(
            "From top to bottom, strong to faint: {}. One thread, {} time, medians of {} rounds, logarithmic scale.",
            names.join(", "),
            report.clock.name(),
            report.rounds
        ))
    )?;
    writeln!(
        text,
        "<text class=\"small\" x=\"12\" y=\"{:.1}\">Grey: floors, which do nothing with links. Peers look at fewer kinds of links than absolve.</text>",
        bottom + 32.0
    )?;
    writeln!(text, "</svg>")
}

/// Where and with what the figures were made.
fn write_machine(report: &Report<'_>, text: &mut String) -> std::fmt::Result {
    let machine = &report.machine;
    let versions: Vec<String> = machine
        .versions
        .iter()
        .map(|one| format!("{} {}", one.name, one.version))
        .collect();
    let place = format!(
        "{}, {}; {}",
        machine.processor, machine.system, machine.date
    );
    let tools = format!("{}; {}", machine.compiler, versions.join(", "));
    writeln!(
        text,
        "<text class=\"small\" x=\"12\" y=\"42\">{}</text>",
        escaped(&place)
    )?;
    writeln!(
        text,
        "<text class=\"small\" x=\"12\" y=\"57\">{}</text>",
        escaped(&tools)
    )
}

/// A line for each power of ten.
fn write_grid(scale: &Scale, bottom: f64, text: &mut String) -> std::fmt::Result {
    let mut mark = scale.least;
    while mark <= scale.most {
        let x = scale.x(mark);
        writeln!(
            text,
            "<line class=\"grid\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{:.1}\" y2=\"{bottom:.1}\"/>",
            TOP - 8.0
        )?;
        writeln!(
            text,
            "<text class=\"small\" x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{mark}</text>",
            TOP - 12.0
        )?;
        mark *= 10.0;
    }
    Ok(())
}

/// A logarithmic scale from one power of ten to another.
struct Scale {
    least: f64,
    most: f64,
}

impl Scale {
    fn over(rows: &[Row]) -> Self {
        let speeds = || {
            rows.iter()
                .flat_map(|row| &row.figures)
                .map(|figure| figure.speed.max(0.001))
        };
        let least = speeds().fold(f64::INFINITY, f64::min);
        let most = speeds().fold(0.0, f64::max);
        Self {
            least: 10_f64.powf(least.log10().floor()),
            most,
        }
    }

    fn x(&self, speed: f64) -> f64 {
        let share =
            (speed.max(self.least) / self.least).ln() / (self.most / self.least).ln().max(0.1);
        LEFT + share * (RIGHT - LEFT)
    }
}

fn count(number: usize) -> f64 {
    f64::from(u16::try_from(number).unwrap_or(u16::MAX))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

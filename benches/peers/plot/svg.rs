//! Draws a bar chart with a row for each tool. Its linear axis starts at 0, so lengths are proportional to the speed.

use std::error::Error;

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// The data of the chart.
pub(crate) struct Chart {
    pub(crate) title: String,
    pub(crate) subtitle: String,
    pub(crate) rows: Vec<Row>,
    pub(crate) footnotes: Vec<String>,
}

/// Speed of a tool.
pub(crate) struct Row {
    pub(crate) label: &'static str,
    pub(crate) version: String,
    /// Whether the bars are emphasised.
    pub(crate) is_emphasised: bool,
    /// 10^6 bytes per second.
    pub(crate) speed: f64,
}

/// A colour for light pages, and its replacement for dark pages.
struct Colour {
    light: RGBColor,
    dark: RGBColor,
}

const BACKGROUND: Colour = Colour::new([0xff, 0xff, 0xff], [0x0d, 0x11, 0x17]);
const TEXT: Colour = Colour::new([0x1f, 0x23, 0x28], [0xf0, 0xf6, 0xfc]);
const SMALL_TEXT: Colour = Colour::new([0x59, 0x63, 0x6e], [0x91, 0x98, 0xa1]);
const AXIS: Colour = Colour::new([0x8c, 0x95, 0x9f], [0x65, 0x6c, 0x76]);
const EMPHASISED: Colour = Colour::new([0x09, 0x69, 0xda], [0x44, 0x93, 0xf8]);
const BAR: Colour = Colour::new([0x81, 0x8b, 0x98], [0x76, 0x7e, 0x89]);
const COLOURS: [Colour; 6] = [BACKGROUND, TEXT, SMALL_TEXT, AXIS, EMPHASISED, BAR];

// Sizes in pixels.
const WIDTH: i32 = 480;
const MARGIN: i32 = 16;
const LABELS_WIDTH: i32 = 218;
const HEADER_HEIGHT: i32 = 66;
const ROW_HEIGHT: i32 = 36;
const AXIS_HEIGHT: i32 = 40;
const FOOTNOTE_HEIGHT: i32 = 17;

/// Share of the row's height.
const BAR_HEIGHT: f64 = 0.55;

type Area<'s> = DrawingArea<SVGBackend<'s>, Shift>;
type Result<T> = std::result::Result<T, Box<dyn Error>>;

impl Chart {
    /// Draws the chart.
    ///
    /// The image has an opaque background, so it is legible on every page. It is drawn in light colours, and a style
    /// sheet in it replaces them on dark pages.
    pub(crate) fn svg(&self) -> Result<String> {
        let rows_height = ROW_HEIGHT * i32::try_from(self.rows.len())?;
        let footnotes_height = FOOTNOTE_HEIGHT * i32::try_from(self.footnotes.len())?;
        let footer_top = HEADER_HEIGHT + rows_height + AXIS_HEIGHT;
        let height = footer_top + MARGIN + footnotes_height;
        let mut svg = String::new();
        {
            let size = (WIDTH.try_into()?, height.try_into()?);
            let page = SVGBackend::with_string(&mut svg, size).into_drawing_area();
            page.fill(&BACKGROUND.light)?;
            page.draw_text(&self.title, &bold(17, HPos::Left), (MARGIN, 26))?;
            page.draw_text(&self.subtitle, &small(12, HPos::Left), (MARGIN, 49))?;
            let (chart, footer) = page.split_vertically(footer_top);
            let (labels, bars) = chart.split_horizontally(LABELS_WIDTH);
            self.draw_labels(&labels)?;
            self.draw_bars(&bars)?;
            let lines = (MARGIN..).step_by(FOOTNOTE_HEIGHT.try_into()?);
            for (y, footnote) in lines.zip(&self.footnotes) {
                footer.draw_text(footnote, &small(11, HPos::Left), (MARGIN, y))?;
            }
            page.present()?;
        }
        Ok(self.described(&with_dark_colours(&svg)))
    }

    /// Inserts the title, and the figures in words for those who do not see the chart. No character needs an escape.
    fn described(&self, svg: &str) -> String {
        let rows = self.rows.iter();
        let figures: Vec<_> = rows
            .map(|Row { label, speed, .. }| format!("{label}: {speed:.0}"))
            .collect();
        let text = format!(
            " role=\"img\">\n<title>{}</title>\n<desc>{}</desc>\n",
            self.title,
            figures.join("; ")
        );
        svg.replacen(">\n", &text, 1)
    }

    /// Draws the names of the tools.
    fn draw_labels(&self, area: &Area<'_>) -> Result<()> {
        let x = LABELS_WIDTH - 10;
        for (number, row) in (0..).zip(&self.rows) {
            let middle = HEADER_HEIGHT + ROW_HEIGHT * number + ROW_HEIGHT / 2;
            let label = if row.is_emphasised {
                bold(13, HPos::Right)
            } else {
                regular(13, HPos::Right)
            };
            area.draw_text(row.label, &label, (x, middle - 7))?;
            area.draw_text(&row.version, &small(11, HPos::Right), (x, middle + 8))?;
        }
        Ok(())
    }

    /// Draws the bars.
    fn draw_bars(&self, area: &Area<'_>) -> Result<()> {
        let speeds = self.rows.iter().map(|row| row.speed);
        // Leaves room for the figure after the longest bar.
        let limit = 1.25 * speeds.fold(1.0, f64::max);
        // The y axis counts rows, downwards.
        let rows = f64::from(u32::try_from(self.rows.len())?);
        let mut chart = ChartBuilder::on(area)
            .margin_top(HEADER_HEIGHT)
            .margin_right(MARGIN)
            .x_label_area_size(AXIS_HEIGHT)
            .build_cartesian_2d(0.0..limit, rows..0.0)?;
        chart
            .configure_mesh()
            .disable_mesh()
            .disable_y_axis()
            .x_desc("MB/s")
            .axis_desc_style(small(11, HPos::Center))
            .x_labels(4)
            .x_label_formatter(&|speed| thousands(&format!("{speed:.0}")))
            .x_label_style(small(11, HPos::Center))
            .axis_style(AXIS.light)
            .draw()?;
        let zero = vec![(0.0, 0.0), (0.0, rows)];
        chart.draw_series([PathElement::new(zero, AXIS.light)])?;
        for (top, row) in (0_u32..).map(f64::from).zip(&self.rows) {
            let colour = if row.is_emphasised { EMPHASISED } else { BAR };
            let (middle, half) = (top + 0.5, BAR_HEIGHT / 2.0);
            // Slow tools have a visible bar, too.
            let end = row
                .speed
                .max(limit * 2.0 / f64::from(area.dim_in_pixel().0));
            let corners = [(0.0, middle - half), (end, middle + half)];
            chart.draw_series([Rectangle::new(corners, colour.light.filled())])?;
            let figure = thousands(&format!("{:.0}", row.speed));
            let figure = Text::new(figure, (5, 0), regular(12, HPos::Left));
            chart.draw_series([EmptyElement::at((end, middle)) + figure])?;
        }
        Ok(())
    }
}

impl Colour {
    const fn new(light: [u8; 3], dark: [u8; 3]) -> Self {
        Self {
            light: RGBColor(light[0], light[1], light[2]),
            dark: RGBColor(dark[0], dark[1], dark[2]),
        }
    }
}

fn regular(size: u32, alignment: HPos) -> TextStyle<'static> {
    text(size, FontStyle::Normal, &TEXT, alignment)
}

fn bold(size: u32, alignment: HPos) -> TextStyle<'static> {
    text(size, FontStyle::Bold, &TEXT, alignment)
}

fn small(size: u32, alignment: HPos) -> TextStyle<'static> {
    text(size, FontStyle::Normal, &SMALL_TEXT, alignment)
}

/// Returns the style of text with a font of `size` pixels, centred vertically.
fn text(size: u32, style: FontStyle, colour: &Colour, alignment: HPos) -> TextStyle<'static> {
    // The SVG backend divides sizes by 1.24.
    ("system-ui, sans-serif", f64::from(size) * 1.24, style)
        .into_font()
        .color(&colour.light)
        .pos(Pos::new(alignment, VPos::Center))
}

/// Inserts a style sheet with the colours for dark pages.
///
/// plotters writes colours as attributes, which any rule of a style sheet overrides.
fn with_dark_colours(svg: &str) -> String {
    let hex = |RGBColor(red, green, blue)| format!("#{red:02X}{green:02X}{blue:02X}");
    let rule = |Colour { light, dark }| {
        let (light, dark) = (hex(light), hex(dark));
        format!("[fill=\"{light}\"] {{ fill: {dark} }} [stroke=\"{light}\"] {{ stroke: {dark} }}\n")
    };
    let rules: String = COLOURS.map(rule).concat();
    let style = format!("<style>@media (prefers-color-scheme: dark) {{\n{rules}}}</style>\n");
    svg.replacen(">\n", &format!(">\n{style}"), 1)
}

/// Separates the thousands of a number in decimal digits with commas.
fn thousands(digits: &str) -> String {
    let mut separated = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            separated.push(',');
        }
        separated.push(digit);
    }
    separated
}

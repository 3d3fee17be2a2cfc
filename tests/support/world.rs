//! Running the command, in a temporary directory for one test or in the root of the repository.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::{env, fs};

use tempfile::TempDir;

/// A directory with files, removed after the test.
pub struct World(TempDir);

impl World {
    /// Creates these files and their directories.
    pub fn new(files: &[(&str, &str)]) -> Self {
        let world = Self(TempDir::new().expect("a temporary directory"));
        for (name, content) in files {
            world.write(name, content);
        }
        world
    }

    /// Creates an empty directory, in memory if the system has such a file system. For tests with thousands of files.
    pub fn in_memory() -> Self {
        let memory = Path::new("/dev/shm");
        let directory = TempDir::new_in(memory).or_else(|_| TempDir::new());
        Self(directory.expect("a temporary directory"))
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, content: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
        fs::write(path, content).expect("a written file");
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = command(arguments);
        command.current_dir(self.root());
        command
    }

    pub fn start(&self, arguments: &[&str]) -> Child {
        self.command(arguments).spawn().expect("the command starts")
    }

    pub fn run(&self, arguments: &[&str]) -> Answer {
        Answer::new(self.command(arguments).output().expect("the command runs"))
    }

    pub fn run_with(&self, arguments: &[&str], stdin: impl AsRef<[u8]>) -> Answer {
        feed(&mut self.command(arguments), stdin).expect("the command runs")
    }

    /// Lists a directory recursively.
    ///
    /// Files are listed with their content, symbolic links as `-> target`, directories with a trailing slash.
    pub fn tree(&self, directory: &str) -> BTreeMap<String, String> {
        let root = self.path(directory);
        let mut found = BTreeMap::new();
        let mut open = vec![root.clone()];
        while let Some(directory) = open.pop() {
            for entry in fs::read_dir(&directory).expect("a directory") {
                let path = entry.expect("an entry").path();
                let name = path.strip_prefix(&root).expect("below").to_string_lossy();
                if path.is_symlink() {
                    let text = fs::read_link(&path).expect("a link");
                    found.insert(name.into_owned(), format!("-> {}", text.display()));
                } else if path.is_dir() {
                    found.insert(format!("{name}/"), String::new());
                    open.push(path);
                } else {
                    let content = fs::read(&path).expect("a file");
                    let content = String::from_utf8_lossy(&content).into_owned();
                    found.insert(name.into_owned(), content);
                }
            }
        }
        found
    }

    pub fn root(&self) -> &Path {
        self.0.path()
    }
}

/// Returns the path of the command that was built with the running test.
///
/// Cargo puts tests into a directory beside the programs of their package. It tells the path to the tests of that package
/// only, and when they are compiled.
pub fn binary() -> PathBuf {
    let test = env::current_exe().expect("the path of the test");
    let programs = test
        .ancestors()
        .nth(2)
        .expect("the directory of the programs");
    programs
        .join("absolve")
        .with_extension(env::consts::EXE_EXTENSION)
}

/// Returns the command with these arguments and without input, to be run in the root of the repository.
pub fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(binary());
    // A proxy of the environment cannot reach the loopback interface of this machine.
    for name in ["http_proxy", "https_proxy", "all_proxy", "no_proxy"] {
        command.env_remove(name).env_remove(name.to_uppercase());
    }
    command
        .current_dir(crate::root())
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Runs the command in the root of the repository.
pub fn run(arguments: &[&str], stdin: impl AsRef<[u8]>) -> Answer {
    feed(&mut command(arguments), stdin).expect("the command runs")
}

/// Runs any program with this input.
pub fn feed(command: &mut Command, stdin: impl AsRef<[u8]>) -> io::Result<Answer> {
    let streams = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = streams.stderr(Stdio::piped()).spawn()?;
    let (mut pipe, stdin) = (child.stdin.take().expect("piped"), stdin.as_ref());
    let output = thread::scope(|scope| {
        // A program that does not read its input closes the pipe early: ignore the error.
        scope.spawn(move || drop(pipe.write_all(stdin)));
        child.wait_with_output()
    });
    output.map(Answer::new)
}

/// The output and the exit code of the command.
#[derive(Debug, PartialEq, Eq)]
pub struct Answer {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Answer {
    pub fn new(output: Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).expect("UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("UTF-8"),
        }
    }

    /// Returns standard output, after checking that the command succeeded.
    #[track_caller]
    pub fn printed(&self) -> String {
        assert_eq!(self.code, Some(0), "{self:?}");
        self.stdout.clone()
    }

    /// Returns standard error, after checking the exit code.
    #[track_caller]
    pub fn messages(&self, code: i32) -> String {
        assert_eq!(self.code, Some(code), "{self:?}");
        self.stderr.clone()
    }

    /// Asserts the exit code.
    #[track_caller]
    pub fn exits_with(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{self:?}");
        self
    }

    /// Asserts that standard error contains `message`.
    #[track_caller]
    pub fn stderr_contains(self, message: &str) -> Self {
        assert!(self.stderr.contains(message), "no {message:?} in {self:?}");
        self
    }
}

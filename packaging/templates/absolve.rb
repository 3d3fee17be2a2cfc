# Homebrew formula, for a tap: brew install OWNER/tap/absolve
class Absolve < Formula
  desc "Makes every link of HTML documents, sites and archives absolute"
  homepage "@REPOSITORY@"
  version "@VERSION@"
  license any_of: ["MIT", "Apache-2.0"]

  on_macos do
    on_arm do
      url "@REPOSITORY@/releases/download/v@VERSION@/absolve-@VERSION@-aarch64-apple-darwin.tar.gz"
      sha256 "@SHA256 aarch64-apple-darwin@"
    end
    on_intel do
      url "@REPOSITORY@/releases/download/v@VERSION@/absolve-@VERSION@-x86_64-apple-darwin.tar.gz"
      sha256 "@SHA256 x86_64-apple-darwin@"
    end
  end
  on_linux do
    on_arm do
      url "@REPOSITORY@/releases/download/v@VERSION@/absolve-@VERSION@-aarch64-unknown-linux-musl.tar.gz"
      sha256 "@SHA256 aarch64-unknown-linux-musl@"
    end
    on_intel do
      url "@REPOSITORY@/releases/download/v@VERSION@/absolve-@VERSION@-x86_64-unknown-linux-musl.tar.gz"
      sha256 "@SHA256 x86_64-unknown-linux-musl@"
    end
  end

  def install
    bin.install "absolve"
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/absolve.bash" => "absolve"
    fish_completion.install "completions/absolve.fish"
    zsh_completion.install "completions/absolve.zsh" => "_absolve"
  end

  test do
    assert_equal "https://example.org/b\n", shell_output("#{bin}/absolve resolve --base https://example.org/a b")
  end
end

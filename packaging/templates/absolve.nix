# Nix: the static program. `nix-build -E 'with import <nixpkgs> {}; callPackage ./absolve.nix {}'`
{ stdenvNoCC, fetchurl, installShellFiles }:
let
  sources = {
    x86_64-linux = [ "x86_64-unknown-linux-musl" "@SHA256 x86_64-unknown-linux-musl@" ];
    aarch64-linux = [ "aarch64-unknown-linux-musl" "@SHA256 aarch64-unknown-linux-musl@" ];
    x86_64-darwin = [ "x86_64-apple-darwin" "@SHA256 x86_64-apple-darwin@" ];
    aarch64-darwin = [ "aarch64-apple-darwin" "@SHA256 aarch64-apple-darwin@" ];
  };
  source = sources.${stdenvNoCC.hostPlatform.system};
  target = builtins.elemAt source 0;
in
stdenvNoCC.mkDerivation rec {
  pname = "absolve";
  version = "@VERSION@";
  src = fetchurl {
    url = "@REPOSITORY@/releases/download/v${version}/absolve-${version}-${target}.tar.gz";
    sha256 = builtins.elemAt source 1;
  };
  nativeBuildInputs = [ installShellFiles ];
  installPhase = ''
    install -Dm755 absolve -t $out/bin
    installManPage man/*.1
    installShellCompletion --cmd absolve \
      --bash completions/absolve.bash --fish completions/absolve.fish --zsh completions/absolve.zsh
  '';
  meta.mainProgram = "absolve";
}

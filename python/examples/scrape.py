"""Lists the targets of all links of a page that was fetched: python scrape.py URL"""

import sys
import urllib.request

import absolve


def targets(html: bytes, url: str, encoding: str | None) -> list[str]:
    """Returns the targets of the links of a page, without those that have none."""
    links = absolve.links(html, url, encoding=encoding, profile="whatwg")
    return [link.target for link in links if link.target is not None]


if __name__ == "__main__":
    with urllib.request.urlopen(sys.argv[1]) as response:
        # The URL after redirects, not the one that was asked for.
        for target in targets(response.read(), response.url, response.headers.get_content_charset()):
            print(target)

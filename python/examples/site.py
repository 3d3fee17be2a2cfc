"""Makes the links of a built site absolute, for mail or a feed: python site.py DIRECTORY URL"""

import pathlib
import sys

import absolve


def rewrite_site(directory: pathlib.Path, url: str) -> int:
    """Rewrites the pages of a directory that is published under a URL, and returns the number of changed ones."""
    pages = sorted(directory.rglob("*.html"))
    documents = ((page.read_bytes(), url + page.relative_to(directory).as_posix()) for page in pages)
    changed = 0
    for page, content in zip(pages, absolve.rewrite_many(documents)):
        if content != page.read_bytes():
            # Renamed when it is complete: the site never has half a page.
            temporary = page.with_name(f"{page.name}.new")
            temporary.write_bytes(content)
            temporary.replace(page)
            changed += 1
    return changed


if __name__ == "__main__":
    print(rewrite_site(pathlib.Path(sys.argv[1]), sys.argv[2]), "pages changed")

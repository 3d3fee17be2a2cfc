project = "Moved"
html_baseurl = "http://site.example/"
html_logo = "logo.svg"
html_favicon = "logo.svg"
html_static_path = ["static"]
html_extra_path = ["extra"]
html_css_files = ["css/extra.css"]
extensions = ["sphinx.ext.viewcode"]

document.documentElement.dataset.extra = "loaded";

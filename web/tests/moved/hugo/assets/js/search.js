const wanted = new URLSearchParams(location.search).get("q") ?? "";
for (const item of document.querySelectorAll("#results li")) item.hidden = !item.textContent.includes(wanted);

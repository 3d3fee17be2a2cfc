/** Marks the page: the script ran. */
export function mark(name) {
  document.body.dataset.script = name;
}

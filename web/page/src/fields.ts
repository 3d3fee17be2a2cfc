/** The fields: the options, and what is known about the document. */

/** The form with the fields. */
export const facts = document.getElementById("facts") as HTMLFormElement;

/** The fields about a document, which do not apply to the next one. */
export const NO_FACTS = { url: "", kind: "", enclosingBase: "", defaultBase: "" };

/** Returns the values of the fields that are not the default ones. */
export function fields(): Record<string, string> {
  const values: Record<string, string> = {};
  for (const field of facts.elements) {
    if (field instanceof HTMLInputElement && field.type === "checkbox") {
      if (field.checked) values[field.name] = "on";
    } else if ((field instanceof HTMLInputElement || field instanceof HTMLSelectElement) && field.name) {
      const isDefault = field instanceof HTMLSelectElement ? field.selectedIndex === 0 : field.value.trim() === "";
      if (!isDefault) values[field.name] = field.value.trim();
    }
  }
  return values;
}

/** Sets all fields: those without a value, and those with an unknown one, to the default. */
export function setFields(values: Readonly<Record<string, string>>): void {
  facts.reset();
  for (const [name, value] of Object.entries(values)) {
    const field = facts.elements.namedItem(name);
    if (field instanceof HTMLInputElement && field.type === "checkbox") field.checked = value === "on";
    else if (field instanceof HTMLInputElement) field.value = value;
    else if (field instanceof HTMLSelectElement && [...field.options].some((option) => option.value === value)) field.value = value;
  }
}

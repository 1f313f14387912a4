// Elements of the page.

/** Make an element with these attributes and children, which are elements or texts. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

/** The nodes of a sentence in which code stands between backticks. */
export function prose(text) {
  return text.split("`").map((part, index) => (index % 2 ? element("code", {}, part) : part));
}

// @ts-check
/**
 * The button in a field for a password that shows what was typed. scripts/embed_client.ts copies it into password_script.ts.
 *
 * @module
 */

const SVG = "http://www.w3.org/2000/svg";

/** An eye, and the line through it, in a square of 24 by 24. */
const EYE = [
  "M2.5 12s3.5-6.5 9.5-6.5 9.5 6.5 9.5 6.5-3.5 6.5-9.5 6.5S2.5 12 2.5 12zM12 9a3 3 0 1 1 0 6 3 3 0 0 1 0-6z",
  "M4 4l16 16",
];

for (const part of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".secret"))) open(part);

/**
 * Puts the button into a field.
 *
 * @param {HTMLElement} part
 */
function open(part) {
  const input = /** @type {HTMLInputElement} */ (part.querySelector("input"));
  const button = document.createElement("button");
  const name = document.createElement("span");
  /** @param {boolean} isShown */
  const show = (isShown) => {
    input.type = isShown ? "text" : "password";
    button.ariaPressed = String(isShown);
  };
  button.type = "button";
  name.append(part.dataset.show ?? "");
  button.append(eye(), name);
  // A field that is shown must not be checked: browsers may ask a service for that.
  input.spellcheck = false;
  input.autocapitalize = "none";
  input.setAttribute("autocorrect", "off");
  // The field keeps the focus, and a phone its keyboard.
  button.addEventListener("mousedown", (event) => event.preventDefault());
  button.addEventListener("click", () => show(input.type === "password"));
  // Browsers and managers look for a password when a form is sent, and a page may be shown again by going back. A field of
  // a form may have the name of one of its methods, so the document listens.
  document.addEventListener("submit", () => show(false));
  self.addEventListener("pagehide", () => show(false));
  show(false);
  input.after(button);
}

/** Draws the eye. */
function eye() {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "icon");
  svg.ariaHidden = "true";
  for (const line of EYE) {
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("d", line);
    svg.append(path);
  }
  return svg;
}

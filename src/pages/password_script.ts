/**
 * The script of fields for passwords as text, generated from password_client.js by scripts/embed_client.ts.
 *
 * @module
 */

/** The script that browsers get. */
export const PASSWORD_SCRIPT: string = `const SVG = "http://www.w3.org/2000/svg";
const EYE = [
"M2.5 12s3.5-6.5 9.5-6.5 9.5 6.5 9.5 6.5-3.5 6.5-9.5 6.5S2.5 12 2.5 12zM12 9a3 3 0 1 1 0 6 3 3 0 0 1 0-6z",
"M4 4l16 16",
];
for (const part of  (document.querySelectorAll(".secret"))) open(part);
function open(part) {
const input =  (part.querySelector("input"));
const button = document.createElement("button");
const name = document.createElement("span");
const show = (isShown) => {
input.type = isShown ? "text" : "password";
button.ariaPressed = String(isShown);
};
button.type = "button";
name.append(part.dataset.show ?? "");
button.append(eye(), name);
input.spellcheck = false;
input.autocapitalize = "none";
input.setAttribute("autocorrect", "off");
button.addEventListener("mousedown", (event) => event.preventDefault());
button.addEventListener("click", () => show(input.type === "password"));
document.addEventListener("submit", () => show(false));
self.addEventListener("pagehide", () => show(false));
show(false);
input.after(button);
}
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
}`;

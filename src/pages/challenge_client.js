// @ts-check
/**
 * The proof of work on a page: it looks for a number whose hash is small, while the visitor types. What it looks for is
 * described in docs/challenges.md. scripts/embed_client.ts copies it into challenge_script.ts.
 *
 * @module
 */

/** Milliseconds of work after which the page may do something else: it stays as fast as it was. */
const SLICE = 20;

/**
 * Constants of SHA-256 (FIPS 180-4, section 4.2.2).
 *
 * @type {any}
 */
const K = [
  ...[0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98],
  ...[0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786],
  ...[0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8],
  ...[0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13],
  ...[0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819],
  ...[0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a],
  ...[0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7],
  0xc67178f2,
];

/**
 * What SHA-256 begins with (FIPS 180-4, section 5.3.3).
 *
 * @type {any}
 */
const H = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19];

/** @type {any} */
const words = new Int32Array(64);

for (const part of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".challenge"))) {
  const input = part.querySelector("input");
  if (input?.name === "proofOfWork") prove(input, part);
}

/**
 * Solves the challenge of a form. Whoever sends the form earlier waits, and it is sent by itself.
 *
 * @param {HTMLInputElement} input
 * @param {HTMLElement} part
 */
async function prove(input, part) {
  const form = /** @type {HTMLFormElement} */ (input.form);
  const note = /** @type {Element} */ (part.querySelector("[role=status]"));
  const bar = document.createElement("progress");
  const texts = JSON.parse(part.dataset.texts ?? "{}");
  // A browser that goes back may have kept the value that was sent, and that is spent.
  const token = input.defaultValue;
  const [, work = "", , digest] = token.split(".");
  let isSolved = false;
  /** @type {{ by: HTMLElement | null } | null} */
  let sent = null;
  form.addEventListener("submit", (event) => {
    if (isSolved) return;
    event.preventDefault();
    sent = { by: event.submitter };
    note.replaceChildren(texts.sending);
  });
  note.replaceChildren(texts.working);
  bar.ariaLabel = texts.working;
  bar.value = 0;
  note.before(bar);
  const limit = 2 ** 32 / Number(work);
  let number = 0;
  while (!isSolved) {
    for (const end = self.performance.now() + SLICE; !isSolved && self.performance.now() < end;) {
      for (let left = 64; left > 0 && !isSolved; left--) isSolved = firstWord(digest + "." + number++) < limit;
    }
    // How likely it was to be solved by now.
    bar.value = 1 - Math.exp(-number / Number(work));
    await new Promise((resolve) => self.setTimeout(resolve));
  }
  input.value = token + "." + (number - 1);
  // It stays, so that nothing moves under the pointer.
  bar.value = 1;
  // If a field is called requestSubmit, the method of the form is that field.
  if (sent) HTMLFormElement.prototype.requestSubmit.call(form, /** @type {any} */ (sent).by);
  else note.replaceChildren(texts.ready);
}

/**
 * The first 32 bits of the SHA-256 of up to 55 characters of ASCII, as a number.
 *
 * @param {string} text
 */
function firstWord(text) {
  words.fill(0, 0, 16);
  for (let at = 0; at < text.length; at++) words[at >> 2] |= text.charCodeAt(at) << (24 - 8 * (at & 3));
  words[text.length >> 2] |= 0x80 << (24 - 8 * (text.length & 3));
  words[15] = 8 * text.length;
  for (let at = 16; at < 64; at++) {
    const early = words[at - 15];
    const late = words[at - 2];
    const mixed = (turn(early, 7) ^ turn(early, 18) ^ (early >>> 3)) +
      (turn(late, 17) ^ turn(late, 19) ^ (late >>> 10));
    words[at] = words[at - 16] + words[at - 7] + mixed;
  }
  let [a, b, c, d, e, f, g, h] = H;
  for (let at = 0; at < 64; at++) {
    const first = h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + K[at] + words[at];
    const second = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  return (a + H[0]) >>> 0;
}

/**
 * @param {number} word
 * @param {number} bits
 */
function turn(word, bits) {
  return (word >>> bits) | (word << (32 - bits));
}

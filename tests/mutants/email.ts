import type { Mutant } from "./_mutant.ts";

const ADDRESS = ["tests/unit/kernel/address_test.ts"];
const ADDRESSES = ["tests/stories/email_addresses_test.ts"];
const IDNA = ["tests/unit/kernel/idna_test.ts"];
const START = ["tests/unit/email/start_test.ts"];
const CALLBACK = ["tests/unit/email/callback_test.ts"];
const STORY = ["tests/stories/email_test.ts"];
const NODEMAILER = ["tests/unit/providers/nodemailer_test.ts"];
const MAIL = ["tests/unit/mail_test.ts"];
const CODES = ["tests/stories/email_codes_test.ts"];
const GUESSES = ["tests/unit/email/code_races_test.ts"];
const CODE = ["tests/unit/email/code_test.ts"];

/** Links in mails. */
export const email: readonly Mutant[] = [
  {
    name: "V12: an address is counted after it was folded, when it has become another",
    file: "src/kernel/address.ts",
    find: ' || text.split("@").length !== 2) return null;',
    replace: ") return null;",
    tests: ADDRESS,
  },
  {
    name: "V07: of two addresses the first is taken",
    file: "src/kernel/address.ts",
    find: "if (more.length > 0 || local",
    replace: "if (local",
    tests: ADDRESS,
  },
  {
    name: "V11: the part before the @ may be anything without white space",
    file: "src/kernel/address.ts",
    find: "!LOCAL.test(local)) return null;",
    replace: "!/^[^\\s@]+$/.test(local)) return null;",
    tests: ADDRESS,
  },
  {
    name: "EML-1: international domains are left as they were typed",
    file: "src/kernel/address.ts",
    find: "  const host = asciiDomain(domain);\n",
    replace: "  const host = asciiDomain(domain) && domain;\n",
    tests: ADDRESS,
  },
  {
    name: "EML-2: a top-level domain begins with a digit",
    file: "src/kernel/address.ts",
    find: 'return /^[a-z]/.test(labels.at(-1) ?? "") ? host : null;',
    replace: "return host;",
    tests: ADDRESS,
  },
  {
    name: "EML-2: what nobody can see is part of a domain",
    file: "src/kernel/address.ts",
    find: "if (INVISIBLE.test(domain) || !domain",
    replace: "if (!domain",
    tests: ADDRESS,
  },
  {
    name: "DOS-1: an address of any length is folded",
    file: "src/kernel/address.ts",
    find: "if (text.length > LONGEST_INPUT || text",
    replace: "if (text",
    tests: ADDRESS,
  },
  {
    name: "EML-3: the address is mailed as it was typed",
    file: "src/email/link.ts",
    find: "if (!normalizeIdentifier) return normalizeEmail(text);",
    replace: "if (!normalizeIdentifier) return normalizeEmail(text) && text;",
    tests: START,
  },
  {
    name: "EML-3: what normalizeIdentifier gives is not looked at",
    file: "src/email/link.ts",
    find: 'if (typeof identifier === "string" && identifier !== "") return identifier;',
    replace: "return identifier as string;",
    tests: START,
  },
  {
    name: "MGL-1: the hash of a token does without the secret",
    file: "src/email/link.ts",
    find: "sha256Hex(token + secret)",
    replace: "sha256Hex(token + secret.slice(secret.length))",
    tests: START,
  },
  {
    name: "MGL-1: the token is stored as it is",
    file: "src/email/start.ts",
    find: "createVerificationToken({ identifier, token: hash, expires })",
    replace: "createVerificationToken({ identifier, token, expires })",
    tests: START,
  },
  {
    name: "H14: links under way die with the first secret",
    file: "src/email/link.ts",
    find: "Promise.all(keys.map(",
    replace: "Promise.all(keys.slice(0, 1).map(",
    tests: CALLBACK,
  },
  {
    name: "H14: a list of secrets is not accepted as others join it",
    file: "src/email/link.ts",
    find: 'secrets.length > 1 ? [...secrets, secrets.join(",")] : secrets;',
    replace: "secrets;",
    tests: CALLBACK,
  },
  {
    name: "H16: the mail is sent before its token is stored",
    file: "src/email/start.ts",
    find: "  await storage.createVerificationToken({ identifier, token: hash, expires });\n  try {\n" +
      "    await send(ctx, input, { identifier, url, expires, token });\n",
    replace: "  try {\n    await send(ctx, input, { identifier, url, expires, token });\n" +
      "    await storage.createVerificationToken({ identifier, token: hash, expires });\n",
    tests: START,
  },
  {
    name: "H16, V50: the token of a mail that was not sent stays",
    file: "src/email/start.ts",
    find: "    await forget(ctx, { identifier, token: hash });\n",
    replace: "",
    tests: START,
  },
  {
    name: "V50: a mail that cannot be sent counts as sent",
    file: "src/email/start.ts",
    find:
      '    throw new EmailSignInError("Cannot send a link: the mail could not be handed over", { cause: error });\n',
    replace: "    ctx.config.logger.debug(String(error));\n",
    tests: START,
  },
  {
    name: "V50: a sender is waited for as long as it likes",
    file: "src/email/start.ts",
    find: "withDeadline(runtime, timeouts.request,",
    replace: "withDeadline(runtime, 1000 * timeouts.request,",
    tests: START,
  },
  {
    name: "H01: an application that sends the visitor elsewhere has the mail sent as well",
    file: "src/email/start.ts",
    find:
      '  if (permission.act === "redirect") return redirectTo(permission.to);\n  await sendLink(ctx, input, identifier);\n',
    replace:
      '  await sendLink(ctx, input, identifier);\n  if (permission.act === "redirect") return redirectTo(permission.to);\n',
    tests: STORY,
  },
  {
    name: "MGL-1: whatever a generator gives is a token",
    file: "src/email/start.ts",
    find: "if (fits && token.isWellFormed()) return token;",
    replace: "return fits ? token : String(token);",
    tests: START,
  },
  {
    name: "V88, MGL-3: opening a link uses it up, in whatever browser",
    file: "src/email/callback.ts",
    find: "if (asked && isAskedFor(link, asked)) return await finish(ctx, link, input.target);",
    replace: "if (link) return await finish(ctx, link, input.target);",
    tests: STORY,
  },
  {
    name: "MGL-3: a HEAD request opens a link",
    file: "src/service/routes.ts",
    find: 'const readable = action !== "callback";',
    replace: "const readable = true;",
    tests: STORY,
  },
  {
    name: "MGL-4: the mark of a browser is good for any link to its address",
    file: "src/email/link.ts",
    find: "return hashes.some((known) => sameText(known, asked.hash));",
    replace: "return hashes.length > 0 && sameText(asked.hash, asked.hash);",
    tests: CALLBACK,
  },
  {
    name: "MGL-4: the mark of a browser is good for links of any provider",
    file: "src/email/link.ts",
    find: "if (claims?.provider !== provider || claims.identifier !== identifier) return null;",
    replace: "if (!claims || claims.identifier !== identifier) return null;",
    tests: CALLBACK,
  },
  {
    name: "MGL-4: the mark of a browser is good for any address",
    file: "src/email/link.ts",
    find: "if (claims?.provider !== provider || claims.identifier !== identifier) return null;",
    replace: "if (claims?.provider !== provider) return null;",
    tests: CALLBACK,
  },
  {
    name: "MGL-4: the button of a page of another site signs in",
    file: "src/service/routes.ts",
    find: 'form(flow("emailConfirmation"))',
    replace: 'read(flow("emailConfirmation"))',
    tests: STORY,
  },
  {
    name: "V07: an address may be given twice",
    file: "src/service/routes.ts",
    find: ', fields: ["csrfToken", "callbackUrl", "email"] }],',
    replace: " }],",
    tests: STORY,
  },
  {
    name: "V37: mails are sent for forms of other sites",
    file: "src/service/routes.ts",
    find: 'form(flow("emailStart"))',
    replace: 'read(flow("emailStart"))',
    tests: STORY,
  },
  {
    name: "RED-1: the target in a link is not looked at",
    file: "src/service/flows.ts",
    find: 'const target = await chooseRedirectUrl(ctx, query.get("callbackUrl") ?? undefined);',
    replace: 'const target = (query.get("callbackUrl") ?? "") as Awaited<ReturnType<typeof chooseRedirectUrl>>;',
    tests: STORY,
  },
  {
    name: "V87: a sender of several lines adds headers",
    file: "src/providers/nodemailer.ts",
    find:
      "for (const [name, value] of Object.entries({ from, subject, name: nameIn(server) })) assertOneLine(name, value);",
    replace: 'assertOneLine("name", nameIn(server));',
    tests: NODEMAILER,
  },
  {
    name: "V11: the address is parsed once more on its way to the server",
    file: "src/providers/nodemailer.ts",
    find: 'to: { name: "", address: identifier },',
    replace: 'to: identifier as unknown as MailMessage["to"],',
    tests: NODEMAILER,
  },
  {
    name: "V50: a mail that the server did not take counts as sent",
    file: "src/providers/nodemailer.ts",
    find: "rejected.length + pending.length > 0",
    replace: "rejected.length + pending.length > 9",
    tests: NODEMAILER,
  },
  {
    name: "V05: the mail shows the link as markup",
    file: "src/mail.ts",
    find: "  const link = escape(url);",
    replace: "  const link = url;",
    tests: MAIL,
  },
  {
    name: "V05: a colour of the mail may be any text",
    file: "src/mail.ts",
    find: "brandColor !== undefined && isColor(brandColor) ? brandColor : BRAND",
    replace: "brandColor ?? BRAND",
    tests: MAIL,
  },
  {
    name: "V31: guesses at a code are not counted",
    file: "src/email/code.ts",
    find: "const guess = await countGuess(storageOf(ctx.config), asked.suffix, asked.exp);",
    replace: "const guess = await countGuess(storageOf(ctx.config), asked.suffix, asked.exp) * 0;",
    tests: CODES,
  },
  {
    name: "V31: a guess at a code is looked at before it is counted",
    file: "src/email/code.ts",
    find: "  const guess = await countGuess(storageOf(ctx.config), asked.suffix, asked.exp);\n" +
      "  const hashes = await hashesOf(provider, wholeToken(code, asked.suffix));\n" +
      "  if (guess <= MOST_GUESSES && isAskedFor({ hashes }, asked)) return { provider: provider.id, identifier, hashes };\n",
    replace: "  const hashes = await hashesOf(provider, wholeToken(code, asked.suffix));\n" +
      "  if (isAskedFor({ hashes }, asked)) return { provider: provider.id, identifier, hashes };\n" +
      "  const guess = await countGuess(storageOf(ctx.config), asked.suffix, asked.exp);\n",
    tests: GUESSES,
  },
  {
    name: "V31: guesses at a code are counted by each instance of the service for itself",
    file: "src/email/code.ts",
    find: "if (await once(`code:${name}:${guess}`, end)) return guess;",
    replace: "const seen = ((globalThis as { seen?: Set<string> }).seen ??= new Set());\n" +
      "    if (seen.has(name + guess)) continue;\n    seen.add(name + guess);\n    if (end && once) return guess;",
    tests: GUESSES,
  },
  {
    name: "V31: codes that are sent later share the guesses of the first",
    file: "src/email/code.ts",
    find: "const name = await sha256Hex(suffix);",
    replace: "const name = await sha256Hex(suffix.slice(suffix.length));",
    tests: GUESSES,
  },
  {
    name: "V31: the guesses at a code are forgotten before the code has ended",
    file: "src/email/code.ts",
    find: "new Date((exp + MARGIN) * 1000)",
    replace: "new Date(exp * 1000)",
    tests: CODE,
  },
  {
    name: "V31: a code that was guessed at too often goes on in its link",
    file: "src/email/code.ts",
    find: "  if (guess >= MOST_GUESSES) await endCode(ctx, identifier, asked);\n",
    replace: "",
    tests: CODES,
  },
  {
    name: "V31: a code is a token like any other",
    file: "src/email/code.ts",
    find: "return token.length < SHORTEST_TOKEN;",
    replace: "return token.length < 0;",
    tests: CODES,
  },
  {
    name: "V31: half as many characters are enough for a token",
    file: "src/email/code.ts",
    find: "return token.length < SHORTEST_TOKEN;",
    replace: "return token.length < SHORTEST_TOKEN / 2;",
    tests: CODES,
  },
  {
    name: "V31: codes are sent where nothing can count guesses",
    file: "src/email/code.ts",
    find: "if (storageOf(config).once) return randomHex(config.runtime);",
    replace: "if (storageOf(config)) return randomHex(config.runtime);",
    tests: CODES,
  },
  {
    name: "V31: twice as many guesses at a code are looked at",
    file: "src/email/code.ts",
    find: "const MOST_GUESSES = 5;",
    replace: "const MOST_GUESSES = 10;",
    tests: CODES,
  },
  {
    name: "MGL-3: people are asked about a link that was used",
    file: "src/email/callback.ts",
    find: "  await lookAtToken(storageOf(ctx.config), link, new Date(ctx.config.runtime.now()));\n",
    replace: "",
    tests: STORY,
  },
  {
    name: "MGL-3: looking at a link uses it up",
    file: "src/sign_in/token.ts",
    find: "  if (storage.getVerificationToken) await demandToken(storage.getVerificationToken, token, now);",
    replace: "  if (storage.getVerificationToken) await demandToken(storage.useVerificationToken, token, now);",
    tests: STORY,
  },
  {
    name: "EML-1: users whose domains others stored in Unicode are not found",
    file: "src/config/storage.ts",
    find: "for (const other of others) found ??= await find(other);",
    replace: "for (const other of others.slice(others.length)) found ??= await find(other);",
    tests: ADDRESSES,
  },
  {
    name: "EML-1: the spelling of others goes before ours",
    file: "src/config/storage.ts",
    find: "const [given, ...others] = spellingsOf(address);",
    replace: "const [given = address, ...others] = spellingsOf(address).toReversed();",
    tests: ADDRESSES,
  },
  {
    name: "V11: a domain in compatibility characters stands for the plain one",
    file: "src/kernel/address.ts",
    find: "return unicode === domain ? [address, local + ascii] : [address];",
    replace: "return [address, local + ascii];",
    tests: IDNA,
  },
  {
    name: "V11: a domain that is written otherwise when it is decoded is looked up",
    file: "src/kernel/address.ts",
    find: "if (!unicode || asciiDomain(unicode) !== ascii) return [address];",
    replace: "if (!unicode) return [address];",
    tests: IDNA,
  },
  {
    name: "EML-1: what is no Punycode is decoded all the same",
    file: "src/kernel/idna.ts",
    find: "if (digit === null) return null;",
    replace: "if (digit === null) break;",
    tests: IDNA,
  },
  {
    name: "EML-3: an async normalizeIdentifier that fails ends the program",
    file: "src/email/link.ts",
    find: "const identifier: unknown = await normalizeIdentifier(text);",
    replace: "const identifier: unknown = normalizeIdentifier(text);",
    tests: STORY,
  },
  {
    name: "EML-3: what normalizeIdentifier throws is a failure of the service",
    file: "src/email/link.ts",
    find: 'throw new EmailSignInError("Cannot use address: normalizeIdentifier refused it", { cause: error });',
    replace: "throw error;",
    tests: STORY,
  },
  {
    name: "EML-3: an application may make its refusal of an address a failure of the service",
    file: "src/email/link.ts",
    find: "if (error instanceof SignInError || error instanceof DeniedError) throw error;",
    replace: 'if (error instanceof Error && "family" in error) throw error;',
    tests: STORY,
  },
  {
    name: "EML-3: a refusal of an address by the application is told as another",
    file: "src/email/link.ts",
    find: "if (error instanceof SignInError || error instanceof DeniedError) throw error;",
    replace: "if (error instanceof SignInError) throw error;",
    tests: STORY,
  },
  {
    name: "EML-3: an address of a link that the application refuses is a failure of the service",
    file: "src/email/callback.ts",
    find: 'throw new Verification("Cannot use link: its address is none", { cause: error });',
    replace: "throw error;",
    tests: STORY,
  },
  {
    name: "MGL-2: links live half as long",
    file: "src/config/resolve_provider.ts",
    find: "const TEN_MINUTES = 10 * 60;",
    replace: "const TEN_MINUTES = 5 * 60;",
    tests: CALLBACK,
  },
  {
    name: "MGL-2: the row of a link lives half as long",
    file: "src/email/start.ts",
    find: "new Date(runtime.now() + provider.maxAge * 1000)",
    replace: "new Date(runtime.now() + provider.maxAge * 500)",
    tests: CALLBACK,
  },
  {
    name: "MGL-4: the mark of a browser lives half as long as the link",
    file: "src/email/start.ts",
    find: "{ maxAge: provider.maxAge, suffix }",
    replace: "{ maxAge: Math.ceil(provider.maxAge / 2), suffix }",
    tests: START,
  },
];

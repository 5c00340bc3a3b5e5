// h3 answers a handler that gives `null` with 204 and nothing: a response has it as JSON.
export default defineEventHandler((event) => Response.json(event.context.session?.user ?? null));

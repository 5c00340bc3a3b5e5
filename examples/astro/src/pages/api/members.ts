import type { APIRoute } from "astro";

export const GET: APIRoute = ({ locals }) => Response.json({ name: locals.session?.user?.name });

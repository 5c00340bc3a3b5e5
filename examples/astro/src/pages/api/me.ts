import type { APIRoute } from "astro";

export const GET: APIRoute = ({ locals }) => Response.json(locals.session?.user ?? null);

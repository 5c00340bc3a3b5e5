import { auth } from "../../../auth";

export const GET = auth((request) => Response.json(request.auth?.user ?? null));

import { getToken } from "next-auth/jwt";
import type { NextRequest } from "next/server";

export async function GET(req: NextRequest) {
  const token = await getToken({ req, secret: process.env.AUTH_SECRET });
  if (!token) return Response.json(null);
  const { sub, name, email, role, provider } = token;
  return Response.json({ sub, name, email, role, provider });
}

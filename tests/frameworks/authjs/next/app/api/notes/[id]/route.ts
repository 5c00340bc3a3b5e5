import { auth } from "@/auth";

export const POST = auth(async function POST(req, { params }) {
  const { id } = await params;
  if (req.auth?.user.role !== "admin") return new Response("For admins", { status: 403 });
  return Response.json({ id, by: req.auth.user.email, path: req.nextUrl.pathname, query: req.nextUrl.search });
});

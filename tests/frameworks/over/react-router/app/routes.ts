import { index, route, type RouteConfig } from "@react-router/dev/routes";

export default [
  index("routes/home.tsx"),
  route("members", "routes/members.tsx"),
  route(":lang?/members/letters", "routes/letters.tsx"),
  route("about", "routes/about.tsx"),
  route("api/me", "routes/api.me.ts"),
  route("api/members", "routes/api.members.ts"),
  route("login/:provider", "routes/login.ts"),
  route("logout", "routes/logout.ts"),
  route("name", "routes/name.ts"),
  // The service. "auth/*" does as well, unless its path is to be another.
  route("*", "routes/auth.ts"),
] satisfies RouteConfig;

import process from "node:process";
import adapter from "@sveltejs/adapter-node";
import { sveltekit } from "@sveltejs/kit/vite";
import { defineConfig } from "vite";

const { AUTH_URL } = process.env;

export default defineConfig({
  // adapter-node takes it that visitors come over https, unless the origin is known when the site is built.
  plugins: [sveltekit({ adapter: adapter(), paths: AUTH_URL ? { origin: new URL(AUTH_URL).origin } : {} })],
});

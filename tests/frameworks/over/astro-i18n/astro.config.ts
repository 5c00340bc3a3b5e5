import node from "@astrojs/node";
import { defineConfig } from "astro/config";

export default defineConfig({
  output: "server",
  adapter: node({ mode: "standalone" }),
  i18n: {
    locales: ["en", "de", { path: "francais", codes: ["fr"] }],
    defaultLocale: "en",
    fallback: { de: "en", francais: "en" },
  },
});

import type { NextConfig } from "next";

const config: NextConfig = {
  i18n: { locales: ["en", "de"], defaultLocale: "en", localeDetection: false },
  // The proxy sees the URLs of data as they came.
  skipProxyUrlNormalize: true,
};

export default config;

import { defineConfig } from "astro/config";

import absolve from "absolve/astro";

export default defineConfig({
  site: "https://example.org",
  base: "/docs",
  integrations: [absolve()],
  devToolbar: { enabled: false },
});

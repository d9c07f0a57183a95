import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

import { compileMessage } from '@lingui/message-utils/compileMessage'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** Compiles the messages of a catalogue, so that the page need not bring a parser. */
function catalogues(): Plugin {
  return {
    name: 'catalogues',
    enforce: 'pre',
    transform(code, id) {
      if (!/\/locales\/[\w-]+\.json$/.test(id)) return undefined
      const messages = Object.entries(JSON.parse(code) as Record<string, string>)
      const compiled = Object.fromEntries(messages.map(([key, text]) => [key, compileMessage(text)]))
      return { code: `export default ${JSON.stringify(compiled)}`, moduleType: 'js', map: null }
    },
  }
}

/** Adds a compressed copy of each script and style: the server sends it to browsers that take it. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    writeBundle({ dir = '' }, bundle) {
      for (const { fileName } of Object.values(bundle)) {
        const path = join(dir, fileName)
        if (/\.(?:js|css)$/.test(fileName))
          writeFileSync(`${path}.gz`, gzipSync(readFileSync(path), { level: 9 }))
      }
    },
  }
}

export default defineConfig({
  root: `${import.meta.dirname}/app`,
  base: '/console/',
  plugins: [react(), catalogues(), compressed()],
  build: {
    outDir: '../page',
    emptyOutDir: true,
    target: 'es2023',
    // The page's security policy allows no scripts and styles within it.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1000,
  },
})

import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
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

/** `import url from 'FILE?gzip'`: the address of a compressed copy, for a large file that the page unpacks itself. */
function gzipped(): Plugin {
  const MARK = '?gzip'
  return {
    name: 'gzipped',
    enforce: 'pre',
    async resolveId(id, importer) {
      if (!id.endsWith(MARK)) return undefined
      const found = await this.resolve(id.slice(0, -MARK.length), importer)
      return found && `\0${found.id}${MARK}`
    },
    load(id) {
      if (!id.endsWith(MARK)) return undefined
      const path = id.slice(1, -MARK.length)
      const source = gzipSync(readFileSync(path), { level: 9 })
      const file = this.emitFile({ type: 'asset', name: `${basename(path, '.js')}.gz`, source })
      return { code: `export default import.meta.ROLLUP_FILE_URL_${file}`, moduleType: 'js' }
    },
  }
}

/** What the modules of agents import, by the names under which they import it. */
const IMPORT_MAP = { react: 'import-map/react.ts', 'react/jsx-runtime': 'import-map/jsx-runtime.ts' }

/** Tells the browser where those modules are: the page and the modules of agents must use the same React. */
function importMap(): Plugin {
  return {
    name: 'import-map',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
        const imports = Object.fromEntries(
          Object.entries(IMPORT_MAP).map(([name, path]) => {
            const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/app/${path}`))
            if (!chunk) throw new Error(`The build has no ${path}.`)
            return [name, `./${chunk.fileName}`]
          }),
        )
        const map = `<script type="importmap">${JSON.stringify({ imports })}</script>`
        return html.replace('</title>', `</title>\n    ${map}`)
      },
    },
  }
}

export default defineConfig({
  root: `${import.meta.dirname}/app`,
  // The server may be reached below a path. It fits the addresses in the page to that of the page.
  base: './',
  plugins: [react(), catalogues(), gzipped(), importMap(), compressed()],
  // Its grammars are loaded one by one.
  worker: { format: 'es' },
  build: {
    outDir: '../page',
    emptyOutDir: true,
    target: 'es2023',
    rolldownOptions: {
      input: ['index.html', ...Object.values(IMPORT_MAP)].map((path) =>
        join(import.meta.dirname, 'app', path),
      ),
      preserveEntrySignatures: 'exports-only',
    },
    // The page's security policy allows no scripts and styles within it.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1000,
  },
})

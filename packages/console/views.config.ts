import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'

import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** The folder of an agent, whose modules in `views/` are built into its `page/`. */
const agent = resolve(process.env['AGENT_FOLDER'] ?? '.')

export default defineConfig({
  root: join(agent, 'views'),
  // Wherever the server has the files, they are next to each other.
  base: './',
  plugins: [
    react(),
    {
      name: 'compressed',
      writeBundle({ dir = '' }, bundle) {
        for (const { fileName } of Object.values(bundle)) {
          const path = join(dir, fileName)
          writeFileSync(`${path}.gz`, gzipSync(readFileSync(path), { level: 9 }))
        }
      },
    },
  ],
  build: {
    outDir: join(agent, 'page'),
    emptyOutDir: true,
    target: 'es2023',
    modulePreload: false,
    rolldownOptions: {
      input: globSync(join(agent, 'views/*-{card,page,panel,welcome}.tsx')),
      // The console has them: see importMap in vite.config.ts.
      external: ['react', 'react/jsx-runtime'],
      preserveEntrySignatures: 'strict',
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: '[name]-[hash].js',
        assetFileNames: '[name]-[hash][extname]',
      },
    },
  },
})

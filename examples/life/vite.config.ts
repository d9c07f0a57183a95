import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const target = process.env['DRAGOMAN_URL'] ?? 'http://127.0.0.1:3033'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  // Under the name that the browser uses: so the page is the server's own, and no origin need be allowed.
  server: { proxy: { '/api/': { target, changeOrigin: false } } },
})

import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const target = process.env['DRAGOMAN_URL'] ?? 'http://127.0.0.1:3033'

export default defineConfig({
  plugins: [react()],
  // The page and the server have one origin, so the server needs to allow no other.
  server: { proxy: { '/dice/': { target, changeOrigin: false } } },
})

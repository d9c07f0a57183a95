import type { NextConfig } from 'next'

const config: NextConfig = {
  // It starts threads from files of its own, which a bundle would leave behind.
  serverExternalPackages: ['dragoman', '@dragoman/server'],
}

export default config

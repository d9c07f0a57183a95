import { serveStdio } from '@modelcontextprotocol/server/stdio'

import { modernServer } from './modern-server.fixture.ts'

serveStdio(() => modernServer(), { legacy: 'reject' })

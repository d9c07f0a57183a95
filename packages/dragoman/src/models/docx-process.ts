import process from 'node:process'

import { readDocx } from './read-docx.ts'

/** The process that reads documents: it gets the content of one, and answers with its words. See `docx-reader.ts`. */

process.on('message', (content: Uint8Array) => {
  void readDocx(content).then((words) => process.send?.({ words }))
})
// It ends when the server ends. It does not end before: a server that shuts down may still need it.
process.on('disconnect', () => process.exit())
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)

import { Hono } from 'hono'
import { z } from 'zod'

import { describeRoute, type Operation } from '../../../agents/index.ts'
import { ServiceError } from '../../../errors.ts'
import { fileUrl, isGuest } from '../../../events/index.ts'
import type { FileStore, StoredFile } from '../../../files/index.ts'
import { readUpload, type HttpEnv } from '../../http/index.ts'
import { contentDisposition } from './content-disposition.ts'

/** Types that a browser shows without running anything of them. Every other file is a download. */
const SHOWN_TYPES = /^(?:image\/(?:png|jpeg|gif|webp|avif)|audio\/[\w.+-]+|video\/[\w.+-]+)$/

const readOperation: Operation = {
  group: 'Files',
  summary: 'A file of a conversation',
  description:
    'The content of a file that a model or a tool made, or that the user sent, for its owner alone. Pictures, ' +
    'sounds and films are shown; every other file is a download.',
  params: z.object({
    id: z
      .string()
      .describe('The end of the address that a message has.')
      .meta({ examples: ['file_OAsaX3nhufDqnt_daQ2Clq300Guw-5oQ'] }),
  }),
  responses: { 200: { description: 'The file, in its type' } },
  errors: ['not-found'],
}

const sendOperation: Operation = {
  group: 'Files',
  summary: 'Send a file',
  description:
    'One file as multipart/form-data, which is stored while it comes. Its `url` is then that of a file part in a ' +
    'message of any protocol. Without a message that shows it, it is deleted after a day. A file that the user has ' +
    'already is not stored again.',
  form: z.object({ file: z.file() }),
  responses: {
    201: {
      description: 'The file is stored.',
      json: z.object({
        type: z.literal('file'),
        id: z.string().meta({ examples: ['file_OAsaX3nhufDqnt_daQ2Clq30'] }),
        url: z.string().meta({ examples: ['/v1/files/file_OAsaX3nhufDqnt_daQ2Clq30'] }),
        mediaType: z.string().describe('By its first bytes if they say one, else as it was sent.'),
        filename: z.string().optional(),
        bytes: z.int(),
      }),
    },
  },
  errors: ['forbidden', 'too-large', 'storage-full'],
}

/** The files of the caller. */
export function fileRoutes({ files }: { readonly files: FileStore }): Hono<HttpEnv> {
  return new Hono<HttpEnv>()
    .post('/', describeRoute(sendOperation), async (c) => {
      const userId = c.get('userId')
      if (isGuest(userId)) throw new ServiceError('forbidden', 'Guests cannot send files.')
      const stored = await readUpload(c, files.maxBytes, async ({ content, ...about }) =>
        files.receive(userId, about, content),
      )
      return c.json({ type: 'file', url: c.get('basePath') + fileUrl(stored.id), ...stored }, 201)
    })
    .get('/:id', describeRoute(readOperation), async (c) => {
      const file = await files.get(c.get('userId'), c.req.param('id'))
      return new Response(ReadableStream.from(files.read(file.id)), { headers: headersOf(file) })
    })
}

/** Nothing of a file runs as a page of this server, whatever its bytes are. */
function headersOf({ id, mediaType, bytes, filename }: StoredFile): Record<string, string> {
  const isShown = SHOWN_TYPES.test(mediaType)
  const [, name = id, ending = 'bin'] = /^(.*)\.(\w+)$/.exec(filename ?? '') ?? []
  return {
    'content-type': isShown ? mediaType : 'application/octet-stream',
    'content-length': String(bytes),
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
    // The content of an id never changes.
    'cache-control': 'private, max-age=3600',
    ...(!isShown && { 'content-disposition': contentDisposition(name, { id, ending }) }),
  }
}

import type { Context } from 'hono'

import { ServiceError } from 'dragoman/errors'

/** A form of more, or with longer heads, is no form of ours, and would take seconds to take apart. */
const MAX_PARTS = 100
const MAX_HEAD_BYTES = 16 * 1024

/** Whether what was sent is a form with files. */
export function isForm(c: Context): boolean {
  return c.req.header('content-type')?.toLowerCase().startsWith('multipart/form-data') === true
}

/** A form, and the file that must be in it. @throws ServiceError `invalid-request` */
export async function readFileForm(c: Context): Promise<{ readonly form: FormData; readonly file: File }> {
  const form = await formOf(c)
  const file = form.get('file')
  if (!(file instanceof File)) throw new ServiceError('invalid-request', 'file is required')
  return { form, file }
}

async function formOf(c: Context): Promise<FormData> {
  const bytes = Buffer.from(await c.req.arrayBuffer())
  // The request was refused as too slow in the meantime: it must have no effect.
  if (c.error) throw c.error
  const boundary = boundaryIn(c.req.header('content-type') ?? '')
  if (boundary === undefined)
    throw new ServiceError('invalid-request', 'file is required, in a body of multipart/form-data')
  if (!isModest(bytes, `--${boundary}`)) {
    throw new ServiceError('invalid-request', `The form may have at most ${MAX_PARTS} parts with short heads`)
  }
  try {
    // Written again, so that nothing else is taken for the boundary than what was looked for.
    const headers = { 'content-type': `multipart/form-data; boundary="${boundary}"` }
    return await new Response(bytes, { headers }).formData()
  } catch (cause) {
    throw new ServiceError('invalid-request', 'The body is not a valid multipart/form-data', { cause })
  }
}

/** With the signs that RFC 2046 lets it have. */
function boundaryIn(type: string): string | undefined {
  const found =
    /^multipart\/form-data\s*;(?:.*;)?\s*boundary=(?:"([\w'()+,./:=? -]{1,70})"|([\w'()+,./:=?-]{1,70})\s*(?:;|$))/i
  const [, quoted, plain] = found.exec(type.slice(0, 500)) ?? []
  return quoted ?? plain
}

function isModest(bytes: Buffer, mark: string): boolean {
  let parts = 0
  for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + mark.length)) {
    const head = bytes.subarray(at + mark.length, at + mark.length + MAX_HEAD_BYTES)
    const isLast = head.length < MAX_HEAD_BYTES && head.subarray(0, 2).toString('latin1') === '--'
    parts += 1
    if (parts > MAX_PARTS || (!isLast && !head.includes('\r\n\r\n'))) return false
  }
  return true
}

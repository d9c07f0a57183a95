import { ServiceError } from '../../errors.ts'

const MIB = 1024 * 1024
const GIB = 1024 * MIB

/** The user has stored all that fits. */
export function storageFull(limit: number): ServiceError {
  const size = limit >= GIB ? `${round(limit / GIB)} GB` : `${round(limit / MIB)} MB`
  return new ServiceError(
    'storage-full',
    `Your storage of ${size} is full: delete conversations or other things that you have stored, and try again.`,
    {
      translations: { zh: `你的存储空间（${size}）已满：请删除一些对话或其他内容，然后再试。` },
      details: { limit },
    },
  )
}

function round(size: number): number {
  return Math.round(size * 10) / 10
}

import { Paperclip } from 'lucide-react'

import type { UserPart } from '../api/types.ts'

/** What a user has said and attached. */
export function UserParts({ parts }: { readonly parts: readonly UserPart[] }) {
  return parts.map((part, index) => {
    // The parts of a message never change their order.
    const key = `${part.type} ${index}`
    if (part.type === 'text') return <p key={key}>{part.text}</p>
    const name = part.filename ?? part.mediaType
    return part.mediaType.startsWith('image/') ? (
      <img key={key} className="attached-image" src={part.url} alt={name} />
    ) : (
      <span key={key} className="attachment">
        <Paperclip size={14} aria-hidden />
        {name}
      </span>
    )
  })
}

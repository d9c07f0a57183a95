import type { Wording } from '../wording.ts'

/** Teases, as one does with a friend; never about what somebody is, only about what all of us do. */
export const englishSarcastic: Wording = {
  hello: {
    morning: ['Well{name}, the alarm won for once.', 'Morning{name}, the blanket actually let you go?'],
    noon: [
      'Lunchtime{name}. Picked something yet, or still scrolling the menu?',
      'Hello{name}, your brain has filed for a lunch break. Approve it.',
    ],
    afternoon: [
      'Afternoon{name}, the coffee has already done its best.',
      'Hello{name}, remember the “in a minute” from this morning?',
    ],
    evening: [
      'Evening{name}, today gets a decent review, barely.',
      'Evening{name}, are we still pretending about an early night?',
    ],
  },
  themes: {
    比肩: {
      says: [
        'A day for teams: carrying it alone looks cool, carrying it together is clever.',
        'You are full of opinions today. Friends have some too, free of charge.',
      ],
      tip: 'Find someone to moan with, then get to work.',
    },
    劫财: {
      says: [
        'Generosity runs high today; your wallet and your calendar are watching from a corner.',
        'Easy on the “I’ll do it”. They may let you.',
      ],
      tip: 'Leave the cart overnight. It can’t run away.',
    },
    食神: {
      says: [
        'Today’s theme is enjoyment. Your speciality, so please begin.',
        'A day for something tasty. The to-do list knows how to wait.',
      ],
      tip: 'Eat something nice, and not over the keyboard.',
    },
    伤官: {
      says: [
        'Your mouth is half a beat ahead today. Brilliant, but let the send button breathe.',
        'Fine one-liners today: post half, keep half for the memoir.',
      ],
      tip: 'That sharp message? Save it as a draft.',
    },
    偏财: {
      says: [
        'Chances are roaming about today, and none of them knows the way to your sofa.',
        'Ideas galore. Land one of them before you franchise.',
      ],
      tip: 'Go for a walk. The sofa can miss you.',
    },
    正财: {
      says: [
        'A day for honest work. Yes, that file you keep opening and closing.',
        'Steady wins today; procrastination may take a number and wait.',
      ],
      tip: 'Open that file. Leave it open this time.',
    },
    七杀: {
      says: [
        'A bit of pressure today. You complain and do it anyway, I have seen it.',
        'It feels like exam week, and last-minute heroics are your thing.',
      ],
      tip: 'Do the annoying one first. The rest is dessert.',
    },
    正官: {
      says: [
        'A day of order: even your to-do list is sitting up straight.',
        'Reliability is off the charts today. Do keep it up.',
      ],
      tip: 'Stick to the list; whims can queue.',
    },
    偏印: {
      says: [
        'Big imagination today. Reality is on line two, by the way.',
        'A fine day for solitude; I have excuses for unread messages ready.',
      ],
      tip: 'Mute three alerts. The world keeps turning.',
    },
    正印: {
      says: [
        'Someone wants to look after you. Grumble if you like, but take the soup.',
        'A day to learn something, say from those ninety open tabs.',
      ],
      tip: 'Pick one saved article and truly read it.',
    },
    木: {
      says: [
        'Growth is in the air. You and the plant on the sill could both use some sun.',
        'A day to begin: version three of the plan is plan enough.',
      ],
      tip: 'Stand up and walk. The chair needs a rest too.',
    },
    火: {
      says: [
        'Plenty of fire today; save a spark, the evening is long.',
        'A day to speak up. Yes, you, lurking in the group chat.',
      ],
      tip: 'Praise someone, with no “but” in it.',
    },
    土: {
      says: [
        'Very steady today, to the point that the sofa counts you as family.',
        'A day to tidy up: that pile on the chair is learning to stand.',
      ],
      tip: 'Introduce the chair pile to the wardrobe.',
    },
    金: {
      says: [
        'A day to declutter. Start with whatever “may be worn one day”.',
        'Crisp and clear today, computer desktops excepted.',
      ],
      tip: 'Delete ten screenshots. You won’t miss them.',
    },
    水: {
      says: [
        'Your thoughts run like water today. Do let them run back at some point.',
        'Go with the flow; wrestling yourself pays no bonus.',
      ],
      tip: 'Daydream for five minutes. I’m counting.',
    },
  },
  clash: [
    'The day “clashes” with your birth pillars. In plain words, plans may change their mind, as plans do.',
    'By tradition today faces your birth pillars: change is about, so pack the schedule less like a suitcase.',
  ],
  union: [
    'Today is in union with your birth pillars; even the printer may be nice to you.',
    'The day gets along with your birth pillars. Kindly use the charm for good.',
  ],
  termToday: [
    'It is {term}. The sky knows the season moved on; does your wardrobe?',
    '{term} is here, and everyone is about to post about it. Be first.',
  ],
  termTomorrow: [
    '{term} is tomorrow, so you can be in denial for one more day.',
    'Tomorrow is {term}. Put your socks or your shorts on standby.',
  ],
  festival: [
    'It is {festival}. Enjoy it, and spare us the mass message.',
    'Today is {festival}: you may slack off with a clear conscience.',
  ],
  remembrance: [
    'Today is {festival}. No jokes; I’ll sit quietly with you.',
    'It is {festival}. The teasing can wait; the words are for those we miss.',
  ],
}

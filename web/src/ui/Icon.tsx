// Line icons on a 24-unit grid, drawn for this product. They are hidden from screen readers: the text beside
// them or the button's label is read.

const PATHS = {
  home: 'M4 11 12 4l8 7v8a1 1 0 0 1-1 1h-5v-6h-4v6H5a1 1 0 0 1-1-1z',
  tree: 'M12 3 6 11h3l-4 6h14l-4-6h3zM12 17v4',
  people:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20c0-3.6 2.9-6 6.5-6s6.5 2.4 6.5 6M16 4.4a3.5 3.5 0 0 1 0 ' +
    '6.2M18 14.6c2.1.8 3.5 2.7 3.5 5.4',
  person: 'M12 11.5a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20.5c0-4 3.4-6.5 7.5-6.5s7.5 2.5 7.5 6.5',
  building: 'M5 21V4.5L14 3v18M14 9l5 1.5V21M3 21h18M8.5 8h2M8.5 12h2M8.5 16h2',
  card:
    'M3.5 5.5h17v13h-17zM7 15.5c.3-1.8 1.4-2.8 3-2.8s2.7 1 3 2.8M10 10.8a1.3 1.3 0 1 0 0-2.6 1.3 1.3 0 0 0 ' +
    '0 2.6zM15 10h3M15 13.5h3',
  server: 'M4 4.5h16v6H4zM4 13.5h16v6H4zM7.5 7.5h.01M7.5 16.5h.01M11 7.5h5.5M11 16.5h5.5',
  menu: 'M4 6.5h16M4 12h16M4 17.5h16',
  close: 'm6 6 12 12M18 6 6 18',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  chevronDown: 'm6.5 9.5 5.5 5.5 5.5-5.5',
  chevronLeft: 'm14.5 6.5-5.5 5.5 5.5 5.5',
  chevronRight: 'm9.5 6.5 5.5 5.5-5.5 5.5',
  first: 'm17.5 6.5-5.5 5.5 5.5 5.5M7 6v12',
  last: 'm6.5 6.5 5.5 5.5-5.5 5.5M17 6v12',
  sortUp: 'M12 19V5.5M6.5 11 12 5.5 17.5 11',
  sortDown: 'M12 5v13.5M6.5 13l5.5 5.5 5.5-5.5',
  sort: 'm8 9.5 4-4 4 4M8 14.5l4 4 4-4',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.5 15.5 20.5 20.5',
  columns: 'M3.5 5h17v14h-17zM9.2 5v14M14.8 5v14',
  filter: 'M4 5.5h16l-6 7.5v5l-4 1.5V13z',
  download: 'M12 4v11M7 10.5l5 5 5-5M4.5 20h15',
  upload: 'M12 15.5V4.5M7 9l5-5 5 5M4.5 20h15',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  undo: 'M8.5 5 4.5 9l4 4M4.5 9H14a5.5 5.5 0 0 1 0 11H9',
  redo: 'M15.5 5l4 4-4 4M19.5 9H10a5.5 5.5 0 0 0 0 11h5',
  target: 'M12 19a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM12 2.5V8M12 16v5.5M2.5 12H8M16 12h5.5',
  expand: 'M9 4H4v5M15 4h5v5M4 15v5h5M20 15v5h-5',
  edit: 'M4.5 19.5 5.5 15 16 4.5l3.5 3.5L9 18.5zM13.5 7l3.5 3.5',
  star: 'm12 4 2.5 5.2 5.7.8-4.1 4 1 5.7-5.1-2.7-5.1 2.7 1-5.7-4.1-4 5.7-.8z',
  trash: 'M4.5 7h15M9.5 7V4.5h5V7M6.5 7l1 13h9l1-13M10.2 11v5.5M13.8 11v5.5',
  history: 'M4 12a8 8 0 1 0 2.6-5.9M4 4.5v4h4M12 8v4.5l3 2',
  refresh: 'M20 12a8 8 0 1 1-2.6-5.9M20 4.5v4h-4',
  warning: 'M12 4 2.8 20h18.4zM12 10v4.5M12 17.3h.01',
  info: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 11v5.5M12 7.6h.01',
  help: 'M9.2 9.3c.2-1.7 1.3-2.6 2.9-2.6 1.7 0 2.9 1 2.9 2.6 0 2.2-2.9 2.3-2.9 4.7M12.1 17.3h.01',
  phone:
    'M5.5 4h3.6l1.7 4.3-2.2 1.6a12 12 0 0 0 5.5 5.5l1.6-2.2 4.3 1.7v3.6a1.5 1.5 0 0 1-1.6 1.5A16 16 ' +
    '0 0 1 4 5.6 1.5 1.5 0 0 1 5.5 4z',
  logout: 'M10 4H5v16h5M14.5 8l4 4-4 4M9 12h9.5',
  lock: 'M6 10.5h12V20H6zM8.5 10.5V8a3.5 3.5 0 0 1 7 0v2.5',
  external: 'M13.5 4.5h6v6M19.5 4.5 11 13M17 13.5V19H5V7h5.5',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3.5 2',
  mobile: 'M7.5 3h9v18h-9zM11 18h2',
  camera: 'M3 8h4l1.5-2.5h7L17 8h4v11.5H3zM8.5 13.5a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0',
  image: 'M3.5 5h17v14h-17zM3.5 16l5-5l4 4l3-3l5 5M14.5 9a1 1 0 1 0 2 0a1 1 0 1 0 -2 0',
  mail: 'M3.5 6h17v12.5h-17zM4 6.5l8 6.5 8-6.5',
  inbox: 'M4 13.5 6.5 5h11l2.5 8.5V19H4zM4 13.5h4.5c.5 2 1.7 3 3.5 3s3-1 3.5-3H20',
  map: 'M3.5 6.5 9 4l6 2.5L20.5 4v13.5L15 20l-6-2.5L3.5 20zM9 4v13.5M15 6.5V20',
  layers: 'M12 4 3 9l9 5 9-5zM3.5 13.5 12 18l8.5-4.5',
  leaf: 'M5 19C4 10 9 4.5 20 4.5 20 15.5 14.5 20 7 18M5 20.5c1-4.5 4-8 9-10.5',
  forest: 'M8 3 4 9h2l-3.5 6h11L10 9h2zM8 15v6M17 7l-2.5 4M17 7l3.5 6h-1.5l2.5 4h-7M17 17v4',
  ticket: 'M3.5 7h17v3.5a1.5 1.5 0 0 0 0 3V17h-17v-3.5a1.5 1.5 0 0 0 0-3zM14 7v10',
  chart: 'M4 4v16h16M8.5 16v-4M12.5 16V8M16.5 16v-6',
  euro: 'M18 6.5A7 7 0 1 0 18 17.5M4 10.5h9M4 13.5h8',
  book: 'M5 5.5A2 2 0 0 1 7 4h12v14.5H7a2 2 0 0 0-2 2zM5 5.5v15M7 21h12v-2.5M9 8h6M9 11.5h6',
  shield: 'M12 3.5 5 6v5.5c0 4.2 2.9 7.5 7 9 4.1-1.5 7-4.8 7-9V6zM9 12l2.2 2.2L15.2 10',
  gear:
    'M12 15.2a3.2 3.2 0 1 0 0-6.4 3.2 3.2 0 0 0 0 6.4zM12 3v2.8M12 18.2V21M4.2 ' +
    '7.5l2.4 1.4M17.4 15.1l2.4 1.4M4.2 16.5l2.4-1.4M17.4 8.9l2.4-1.4',
  bell: 'M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 2h-15zM10 21h4',
  calendar: 'M4 6h16v14.5H4zM4 10.5h16M8 3.5V8M16 3.5V8',
  file: 'M6 3.5h8l4 4V20.5H6zM14 3.5v4h4M9 12h6M9 16h6',
} as const

export type IconName = keyof typeof PATHS
export const ICON_NAMES = Object.keys(PATHS) as IconName[]

export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.7}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  )
}

// Line icons, 24 units, drawn for this product. They never speak: the text beside them or the button's label does.

const PATHS = {
  home: 'M4 11 12 4l8 7v8a1 1 0 0 1-1 1h-5v-6h-4v6H5a1 1 0 0 1-1-1z',
  tree: 'M12 3 6 11h3l-4 6h14l-4-6h3zM12 17v4',
  people:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20c0-3.6 2.9-6 6.5-6s6.5 2.4 6.5 6M16 4.4a3.5 3.5 0 0 1 0 6.2M18 14.6c2.1.8 3.5 2.7 3.5 5.4',
  person: 'M12 11.5a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20.5c0-4 3.4-6.5 7.5-6.5s7.5 2.5 7.5 6.5',
  building: 'M5 21V4.5L14 3v18M14 9l5 1.5V21M3 21h18M8.5 8h2M8.5 12h2M8.5 16h2',
  card: 'M3.5 5.5h17v13h-17zM7 15.5c.3-1.8 1.4-2.8 3-2.8s2.7 1 3 2.8M10 10.8a1.3 1.3 0 1 0 0-2.6 1.3 1.3 0 0 0 0 2.6zM15 10h3M15 13.5h3',
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
  expand: 'M9 4H4v5M15 4h5v5M4 15v5h5M20 15v5h-5',
  edit: 'M4.5 19.5 5.5 15 16 4.5l3.5 3.5L9 18.5zM13.5 7l3.5 3.5',
  trash: 'M4.5 7h15M9.5 7V4.5h5V7M6.5 7l1 13h9l1-13M10.2 11v5.5M13.8 11v5.5',
  history: 'M4 12a8 8 0 1 0 2.6-5.9M4 4.5v4h4M12 8v4.5l3 2',
  refresh: 'M20 12a8 8 0 1 1-2.6-5.9M20 4.5v4h-4',
  warning: 'M12 4 2.8 20h18.4zM12 10v4.5M12 17.3h.01',
  info: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 11v5.5M12 7.6h.01',
  help: 'M9.2 9.3c.2-1.7 1.3-2.6 2.9-2.6 1.7 0 2.9 1 2.9 2.6 0 2.2-2.9 2.3-2.9 4.7M12.1 17.3h.01',
  phone:
    'M5.5 4h3.6l1.7 4.3-2.2 1.600a12 12 0 0 0 5.5 5.500l1.6-2.2 4.3 1.700v3.600a1.5 1.5 0 0 1-1.6 1.500A16 16 0 0 1 4 5.6 1.5 1.5 0 0 1 5.5 4z',
  logout: 'M10 4H5v16h5M14.5 8l4 4-4 4M9 12h9.5',
  lock: 'M6 10.500h12V20H6zM8.5 10.500V8a3.5 3.5 0 0 1 7 0v2.5',
  external: 'M13.5 4.500h6v6M19.5 4.5 11 13M17 13.500V19H5V7h5.5',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3.5 2',
  mobile: 'M7.500 3h9v18h-9zM11 18h2',
  mail: 'M3.5 6h17v12.500h-17zM4 6.500l8 6.5 8-6.5',
  inbox: 'M4 13.5 6.5 5h11l2.5 8.500V19H4zM4 13.500h4.500c.5 2 1.7 3 3.5 3s3-1 3.5-3H20',
  map: 'M3.500 6.500 9 4l6 2.500L20.500 4v13.500L15 20l-6-2.500L3.500 20zM9 4v13.500M15 6.500V20',
  layers: 'M12 4 3 9l9 5 9-5zM3.500 13.500 12 18l8.500-4.500',
  leaf: 'M5 19C4 10 9 4.500 20 4.500 20 15.500 14.500 20 7 18M5 20.500c1-4.500 4-8 9-10.500',
  forest: 'M8 3 4 9h2l-3.500 6h11L10 9h2zM8 15v6M17 7l-2.500 4M17 7l3.500 6h-1.500l2.500 4h-7M17 17v4',
  ticket: 'M3.500 7h17v3.500a1.500 1.500 0 0 0 0 3V17h-17v-3.500a1.500 1.500 0 0 0 0-3zM14 7v10',
  chart: 'M4 4v16h16M8.500 16v-4M12.500 16V8M16.500 16v-6',
  euro: 'M18 6.500A7 7 0 1 0 18 17.500M4 10.500h9M4 13.500h8',
  book: 'M5 5.500A2 2 0 0 1 7 4h12v14.500H7a2 2 0 0 0-2 2zM5 5.500v15M7 21h12v-2.500M9 8h6M9 11.500h6',
  shield: 'M12 3.500 5 6v5.500c0 4.200 2.900 7.500 7 9 4.100-1.500 7-4.800 7-9V6zM9 12l2.200 2.200L15.200 10',
  gear: 'M12 15.200a3.200 3.200 0 1 0 0-6.400 3.200 3.200 0 0 0 0 6.400zM12 3v2.800M12 18.200V21M4.200 7.500l2.400 1.400M17.400 15.100l2.400 1.400M4.200 16.500l2.400-1.400M17.400 8.900l2.400-1.400',
  bell: 'M6 16.500V11a6 6 0 0 1 12 0v5.500l1.500 2h-15zM10 21h4',
  calendar: 'M4 6h16v14.500H4zM4 10.500h16M8 3.500V8M16 3.500V8',
  file: 'M6 3.500h8l4 4V20.500H6zM14 3.500v4h4M9 12h6M9 16h6',
} as const

export type IconName = keyof typeof PATHS

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

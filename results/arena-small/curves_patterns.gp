# The arena: Patterns. `gnuplot curves_patterns.gp` in this folder draws it again.
set encoding utf8
do for [kind = 1:3] {
  reset
  if (kind == 1) { set terminal svg size 960,557 font 'DejaVu Sans,12' background rgb 'white' enhanced; set output 'curves_patterns.svg' }
  if (kind == 2) { set terminal pngcairo size 1920,1114 font 'DejaVu Sans,12' fontscale 2 linewidth 2 pointscale 2 enhanced; set output 'curves_patterns.png' }
  if (kind == 3) { set terminal pdfcairo size 10.00in,5.80in font 'DejaVu Sans,9' enhanced; set output 'curves_patterns.pdf' }
  set border 3 lc rgb '#666666'
  set tics nomirror textcolor rgb '#333333'
  set grid ytics lt 1 lc rgb '#d8d8d8'
  unset key
  set multiplot
  set yrange [0:1.02]
  set ytics 0.2
  set format y '%.1f'
  set label 1 'The arena: Patterns' at screen 0.5, screen 0.96409 center noenhanced font ',15'
  set arrow 1 from screen 0.25625, screen 0.41472 to screen 0.30208, screen 0.41472 nohead lc rgb '#777777' dt 1 lw 2
  set label 100 '' at screen 0.27917, screen 0.41472 point lc rgb '#777777' pt 7 ps 0.8
  set label 200 'RoPE, RFS' at screen 0.31042, screen 0.41472 left noenhanced textcolor rgb '#222222'
  set arrow 2 from screen 0.25625, screen 0.38061 to screen 0.30208, screen 0.38061 nohead lc rgb '#d55e00' dt (9,5) lw 2
  set label 101 '' at screen 0.27917, screen 0.38061 point lc rgb '#d55e00' pt 7 ps 0.8
  set label 201 'NoPE in every 4th layer, simple extension' at screen 0.31042, screen 0.38061 left noenhanced textcolor rgb '#222222'
  set arrow 3 from screen 0.25625, screen 0.34650 to screen 0.30208, screen 0.34650 nohead lc rgb '#0072b2' dt 1 lw 2
  set label 102 '' at screen 0.27917, screen 0.34650 point lc rgb '#0072b2' pt 7 ps 0.8
  set label 202 'NoPE in every 4th layer, RFS' at screen 0.31042, screen 0.34650 left noenhanced textcolor rgb '#222222'
  set arrow 4 from screen 0.25625, screen 0.31239 to screen 0.30208, screen 0.31239 nohead lc rgb '#009e73' dt 1 lw 2
  set label 103 '' at screen 0.27917, screen 0.31239 point lc rgb '#009e73' pt 5 ps 0.8
  set label 203 'NoPE in every 4th layer, RFS, SSMax' at screen 0.31042, screen 0.31239 left noenhanced textcolor rgb '#222222'
  set arrow 5 from screen 0.25625, screen 0.27828 to screen 0.30208, screen 0.27828 nohead lc rgb '#000000' dt 1 lw 2
  set label 104 '' at screen 0.27917, screen 0.27828 point lc rgb '#000000' pt 7 ps 0.8
  set label 204 'Window + global, RFS' at screen 0.31042, screen 0.27828 left noenhanced textcolor rgb '#222222'
  set arrow 6 from screen 0.25625, screen 0.24417 to screen 0.30208, screen 0.24417 nohead lc rgb '#8a7a00' dt 1 lw 2
  set label 105 '' at screen 0.27917, screen 0.24417 point lc rgb '#8a7a00' pt 5 ps 0.8
  set label 205 'Window + global, RFS, SSMax' at screen 0.31042, screen 0.24417 left noenhanced textcolor rgb '#222222'
  set arrow 7 from screen 0.25625, screen 0.21005 to screen 0.30208, screen 0.21005 nohead lc rgb '#0072b2' dt 1 lw 2
  set label 106 '' at screen 0.27917, screen 0.21005 point lc rgb '#0072b2' pt 7 ps 0.8
  set label 206 'Window of 4 + global, RFS' at screen 0.31042, screen 0.21005 left noenhanced textcolor rgb '#222222'
  set arrow 8 from screen 0.25625, screen 0.17594 to screen 0.30208, screen 0.17594 nohead lc rgb '#009e73' dt 1 lw 2
  set label 107 '' at screen 0.27917, screen 0.17594 point lc rgb '#009e73' pt 5 ps 0.8
  set label 207 'Window of 4 + global, RFS, SSMax' at screen 0.31042, screen 0.17594 left noenhanced textcolor rgb '#222222'
  set arrow 9 from screen 0.25625, screen 0.14183 to screen 0.30208, screen 0.14183 nohead lc rgb '#cc79a7' dt 1 lw 2
  set label 108 '' at screen 0.27917, screen 0.14183 point lc rgb '#cc79a7' pt 5 ps 0.8
  set label 208 'Window of 4 + global, all on floats, RFS, SSMax' at screen 0.31042, screen 0.14183 left noenhanced textcolor rgb '#222222'
  set arrow 10 from screen 0.25625, screen 0.10772 to screen 0.30208, screen 0.10772 nohead lc rgb '#e69f00' dt (2,4) lw 2
  set label 109 '' at screen 0.27917, screen 0.10772 point lc rgb '#e69f00' pt 5 ps 0.8
  set label 209 'Window of 4 + global, NoPE in global layers, SSMax' at screen 0.31042, screen 0.10772 left noenhanced textcolor rgb '#222222'
  set arrow 11 from screen 0.25625, screen 0.07361 to screen 0.30208, screen 0.07361 nohead lc rgb '#56b4e9' dt (9,5) lw 2
  set label 110 '' at screen 0.27917, screen 0.07361 point lc rgb '#56b4e9' pt 5 ps 0.8
  set label 210 'Window of 4 + global, simple extension, SSMax' at screen 0.31042, screen 0.07361 left noenhanced textcolor rgb '#222222'
  set label 10 'Shaded: trained lengths. Band: 95 % interval. Preset small, 8000 steps; seed 1.' at screen 0.5, screen 0.03411 center noenhanced textcolor rgb '#555555' font ',10'
  set lmargin at screen 0.06458
  set rmargin at screen 0.47917
  set tmargin at screen 0.87433
  set bmargin at screen 0.51885
  set title 'Copy' offset 0,-0.6 textcolor rgb '#222222' noenhanced
  set xlabel 'length' offset 0,0.6 noenhanced
  set ylabel 'exact match' offset 1.2,0 noenhanced
  unset object 1
  set object 1 rectangle from first 1.5, graph 0 to first 20.5, graph 1 behind fc rgb '#ececec' fs solid noborder
  plot \
    'curves_patterns.dat' index 0 using 1:3:4 with filledcurves fc rgb '#777777' fs transparent solid 0.15 noborder notitle, \
    'curves_patterns.dat' index 1 using 1:3:4 with filledcurves fc rgb '#d55e00' fs transparent solid 0.15 noborder notitle, \
    'curves_patterns.dat' index 2 using 1:3:4 with filledcurves fc rgb '#0072b2' fs transparent solid 0.15 noborder notitle, \
    'curves_patterns.dat' index 3 using 1:3:4 with filledcurves fc rgb '#009e73' fs transparent solid 0.15 noborder notitle, \
    'curves_patterns.dat' index 4 using 1:3:4 with filledcurves fc rgb '#000000' fs transparent solid 0.15 noborder notitle, \
    'curves_patterns.dat' index 5 using 1:3:4 with filledcurves fc rgb '#8a7a00' fs transparent solid 0.15 noborder notitle, \
    'curves_patterns.dat' index 6 using 1:3:4 with filledcurves fc rgb '#0072b2' fs transparent solid 0.15 noborder notitle, \
    'curves_patterns.dat' index 7 using 1:3:4 with filledcurves fc rgb '#009e73' fs transparent solid 0.15 noborder notitle, \
    'curves_patterns.dat' index 8 using 1:3:4 with filledcurves fc rgb '#cc79a7' fs transparent solid 0.15 noborder notitle, \
    'curves_patterns.dat' index 9 using 1:3:4 with filledcurves fc rgb '#e69f00' fs transparent solid 0.15 noborder notitle, \
    'curves_patterns.dat' index 10 using 1:3:4 with filledcurves fc rgb '#56b4e9' fs transparent solid 0.15 noborder notitle, \
    'curves_patterns.dat' index 0 using 1:2 with linespoints lc rgb '#777777' dt 1 lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'curves_patterns.dat' index 1 using 1:2 with linespoints lc rgb '#d55e00' dt (9,5) lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'curves_patterns.dat' index 2 using 1:2 with linespoints lc rgb '#0072b2' dt 1 lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'curves_patterns.dat' index 3 using 1:2 with linespoints lc rgb '#009e73' dt 1 lw 2 pt 5 ps 0.8 pi 1 notitle, \
    'curves_patterns.dat' index 4 using 1:2 with linespoints lc rgb '#000000' dt 1 lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'curves_patterns.dat' index 5 using 1:2 with linespoints lc rgb '#8a7a00' dt 1 lw 2 pt 5 ps 0.8 pi 1 notitle, \
    'curves_patterns.dat' index 6 using 1:2 with linespoints lc rgb '#0072b2' dt 1 lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'curves_patterns.dat' index 7 using 1:2 with linespoints lc rgb '#009e73' dt 1 lw 2 pt 5 ps 0.8 pi 1 notitle, \
    'curves_patterns.dat' index 8 using 1:2 with linespoints lc rgb '#cc79a7' dt 1 lw 2 pt 5 ps 0.8 pi 1 notitle, \
    'curves_patterns.dat' index 9 using 1:2 with linespoints lc rgb '#e69f00' dt (2,4) lw 2 pt 5 ps 0.8 pi 1 notitle, \
    'curves_patterns.dat' index 10 using 1:2 with linespoints lc rgb '#56b4e9' dt (9,5) lw 2 pt 5 ps 0.8 pi 1 notitle
  unset label
  unset arrow
  set lmargin at screen 0.55208
  set rmargin at screen 0.97917
  set tmargin at screen 0.87433
  set bmargin at screen 0.51885
  set title 'Reverse' offset 0,-0.6 textcolor rgb '#222222' noenhanced
  set xlabel 'length' offset 0,0.6 noenhanced
  set ylabel '' offset 1.2,0 noenhanced
  unset object 1
  set object 1 rectangle from first 1.5, graph 0 to first 20.5, graph 1 behind fc rgb '#ececec' fs solid noborder
  plot \
    'curves_patterns.dat' index 11 using 1:3:4 with filledcurves fc rgb '#777777' fs transparent solid 0.15 noborder notitle, \
    'curves_patterns.dat' index 11 using 1:2 with linespoints lc rgb '#777777' dt 1 lw 2 pt 7 ps 0.8 pi 1 notitle
  unset multiplot
  set output
}

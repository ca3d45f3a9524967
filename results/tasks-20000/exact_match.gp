# Six tasks: simple extension, RFS and no position encoding. `gnuplot exact_match.gp` in this folder draws it again.
set encoding utf8
do for [kind = 1:3] {
  reset
  if (kind == 1) { set terminal svg size 1020,653 font 'DejaVu Sans,12' background rgb 'white' enhanced; set output 'exact_match.svg' }
  if (kind == 2) { set terminal pngcairo size 2040,1306 font 'DejaVu Sans,12' fontscale 2 linewidth 2 pointscale 2 enhanced; set output 'exact_match.png' }
  if (kind == 3) { set terminal pdfcairo size 10.62in,6.80in font 'DejaVu Sans,9' enhanced; set output 'exact_match.pdf' }
  set border 3 lc rgb '#666666'
  set tics nomirror textcolor rgb '#333333'
  set grid ytics lt 1 lc rgb '#d8d8d8'
  unset key
  set multiplot
  set yrange [0:1.02]
  set ytics 0.2
  set format y '%.1f'
  set label 1 'Six tasks: simple extension, RFS and no position encoding' at screen 0.5, screen 0.96937 center noenhanced font ',15'
  set arrow 1 from screen 0.12980, screen 0.08729 to screen 0.17294, screen 0.08729 nohead lc rgb '#0062a0' dt 1 lw 2
  set label 100 '' at screen 0.15137, screen 0.08729 point lc rgb '#0062a0' pt 7 ps 0.8
  set label 200 'RoPE, RFS' at screen 0.18078, screen 0.08729 left noenhanced textcolor rgb '#222222'
  set arrow 2 from screen 0.38314, screen 0.08729 to screen 0.42627, screen 0.08729 nohead lc rgb '#000000' dt (12,4,2,4) lw 2
  set label 101 '' at screen 0.40471, screen 0.08729 point lc rgb '#000000' pt 2 ps 0.8
  set label 201 'NoPE' at screen 0.43412, screen 0.08729 left noenhanced textcolor rgb '#222222'
  set arrow 3 from screen 0.63647, screen 0.08729 to screen 0.67961, screen 0.08729 nohead lc rgb '#56b4e9' dt (9,5) lw 2
  set label 102 '' at screen 0.65804, screen 0.08729 point lc rgb '#56b4e9' pt 6 ps 0.8
  set label 202 'RoPE, simple extension' at screen 0.68745, screen 0.08729 left noenhanced textcolor rgb '#222222'
  set label 10 'Shaded: trained lengths. Seed 256788; band: 95 % interval; 50 to 1612 samples a length and seed.' at screen 0.5, screen 0.05360 center noenhanced textcolor rgb '#555555' font ',10'
  set label 11 'The paper''s sizes, 20000 steps instead of 40000. Missing: seeds 234054, 146317; SCAN; 18 lines or seeds of lines.' at screen 0.5, screen 0.02910 center noenhanced textcolor rgb '#555555' font ',10'
  set lmargin at screen 0.06078
  set rmargin at screen 0.31373
  set tmargin at screen 0.89280
  set bmargin at screen 0.58959
  set title 'Copy2' offset 0,-0.6 textcolor rgb '#222222' noenhanced
  set xlabel 'length' offset 0,0.6
  set ylabel 'exact match' offset 1.2,0
  unset object 1
  set object 1 rectangle from first 1.5, graph 0 to first 20.5, graph 1 behind fc rgb '#ececec' fs solid noborder
  plot \
    'exact_match.dat' index 0 using 1:3:4 with filledcurves fc rgb '#0062a0' fs transparent solid 0.15 noborder notitle, \
    'exact_match.dat' index 0 using 1:2 with linespoints lc rgb '#0062a0' dt 1 lw 2 pt 7 ps 0.8 pi 1 notitle
  unset label
  unset arrow
  set lmargin at screen 0.38235
  set rmargin at screen 0.64706
  set tmargin at screen 0.89280
  set bmargin at screen 0.58959
  set title 'Reverse' offset 0,-0.6 textcolor rgb '#222222' noenhanced
  set xlabel 'length' offset 0,0.6
  set ylabel '' offset 1.2,0
  unset object 1
  set object 1 rectangle from first 1.5, graph 0 to first 20.5, graph 1 behind fc rgb '#ececec' fs solid noborder
  plot \
    'exact_match.dat' index 1 using 1:3:4 with filledcurves fc rgb '#0062a0' fs transparent solid 0.15 noborder notitle, \
    'exact_match.dat' index 2 using 1:3:4 with filledcurves fc rgb '#000000' fs transparent solid 0.15 noborder notitle, \
    'exact_match.dat' index 1 using 1:2 with linespoints lc rgb '#0062a0' dt 1 lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'exact_match.dat' index 2 using 1:2 with linespoints lc rgb '#000000' dt (12,4,2,4) lw 2 pt 2 ps 0.8 pi 1 notitle
  set lmargin at screen 0.71569
  set rmargin at screen 0.98039
  set tmargin at screen 0.89280
  set bmargin at screen 0.58959
  set title 'Addition' offset 0,-0.6 textcolor rgb '#222222' noenhanced
  set xlabel 'length' offset 0,0.6
  set ylabel '' offset 1.2,0
  unset object 1
  set object 1 rectangle from first 0.5, graph 0 to first 8.5, graph 1 behind fc rgb '#ececec' fs solid noborder
  plot \
    'exact_match.dat' index 3 using 1:3:4 with filledcurves fc rgb '#0062a0' fs transparent solid 0.15 noborder notitle, \
    'exact_match.dat' index 3 using 1:2 with linespoints lc rgb '#0062a0' dt 1 lw 2 pt 7 ps 0.8 pi 1 notitle
  set lmargin at screen 0.06078
  set rmargin at screen 0.31373
  set tmargin at screen 0.47933
  set bmargin at screen 0.17611
  set title 'Sort' offset 0,-0.6 textcolor rgb '#222222' noenhanced
  set xlabel 'length' offset 0,0.6
  set ylabel 'exact match' offset 1.2,0
  unset object 1
  set object 1 rectangle from first 1.5, graph 0 to first 8.5, graph 1 behind fc rgb '#ececec' fs solid noborder
  plot \
    'exact_match.dat' index 4 using 1:3:4 with filledcurves fc rgb '#0062a0' fs transparent solid 0.15 noborder notitle, \
    'exact_match.dat' index 4 using 1:2 with linespoints lc rgb '#0062a0' dt 1 lw 2 pt 7 ps 0.8 pi 1 notitle
  set lmargin at screen 0.38235
  set rmargin at screen 0.64706
  set tmargin at screen 0.47933
  set bmargin at screen 0.17611
  set title 'Summation' offset 0,-0.6 textcolor rgb '#222222' noenhanced
  set xlabel 'length' offset 0,0.6
  set ylabel '' offset 1.2,0
  unset object 1
  set object 1 rectangle from first 1.5, graph 0 to first 8.5, graph 1 behind fc rgb '#ececec' fs solid noborder
  plot \
    'exact_match.dat' index 5 using 1:3:4 with filledcurves fc rgb '#56b4e9' fs transparent solid 0.15 noborder notitle, \
    'exact_match.dat' index 6 using 1:3:4 with filledcurves fc rgb '#0062a0' fs transparent solid 0.15 noborder notitle, \
    'exact_match.dat' index 5 using 1:2 with linespoints lc rgb '#56b4e9' dt (9,5) lw 2 pt 6 ps 0.8 pi 1 notitle, \
    'exact_match.dat' index 6 using 1:2 with linespoints lc rgb '#0062a0' dt 1 lw 2 pt 7 ps 0.8 pi 1 notitle
  unset multiplot
  set output
}

# RFS, position interpolation and random integers. `gnuplot token_accuracy.gp` in this folder draws it again.
set encoding utf8
do for [kind = 1:3] {
  reset
  if (kind == 1) { set terminal svg size 1020,1212 font 'DejaVu Sans,12' background rgb 'white' enhanced; set output 'token_accuracy.svg' }
  if (kind == 2) { set terminal pngcairo size 1347,1600 font 'DejaVu Sans,12' fontscale 1.32 linewidth 1.32 pointscale 1.32 enhanced; set output 'token_accuracy.png' }
  if (kind == 3) { set terminal pdfcairo size 10.62in,12.62in font 'DejaVu Sans,9' enhanced; set output 'token_accuracy.pdf' }
  set border 3 lc rgb '#666666'
  set tics nomirror textcolor rgb '#333333'
  set grid ytics lt 1 lc rgb '#d8d8d8'
  unset key
  set multiplot
  set yrange [0:1.02]
  set ytics 0.2
  set format y '%.1f'
  set label 1 'RFS, position interpolation and random integers' at screen 0.5, screen 0.98350 center noenhanced font ',15'
  set arrow 1 from screen 0.23235, screen 0.06271 to screen 0.27549, screen 0.06271 nohead lc rgb '#c04a00' dt 1 lw 2
  set label 100 '' at screen 0.25392, screen 0.06271 point lc rgb '#c04a00' pt 5 ps 0.8
  set label 200 'Sinusoidal, RFS' at screen 0.28333, screen 0.06271 left noenhanced textcolor rgb '#222222'
  set arrow 2 from screen 0.50980, screen 0.06271 to screen 0.55294, screen 0.06271 nohead lc rgb '#cc79a7' dt (5,3) lw 2
  set label 101 '' at screen 0.53137, screen 0.06271 point lc rgb '#cc79a7' pt 8 ps 0.8
  set label 201 'Sinusoidal, interpolation' at screen 0.56078, screen 0.06271 left noenhanced textcolor rgb '#222222'
  set arrow 3 from screen 0.23235, screen 0.04703 to screen 0.27549, screen 0.04703 nohead lc rgb '#0062a0' dt 1 lw 2
  set label 102 '' at screen 0.25392, screen 0.04703 point lc rgb '#0062a0' pt 7 ps 0.8
  set label 202 'RoPE, RFS' at screen 0.28333, screen 0.04703 left noenhanced textcolor rgb '#222222'
  set arrow 4 from screen 0.50980, screen 0.04703 to screen 0.55294, screen 0.04703 nohead lc rgb '#cc79a7' dt (5,3) lw 2
  set label 103 '' at screen 0.53137, screen 0.04703 point lc rgb '#cc79a7' pt 9 ps 0.8
  set label 203 'RoPE, interpolation' at screen 0.56078, screen 0.04703 left noenhanced textcolor rgb '#222222'
  set label 10 'Shaded: trained lengths. Seed 256788; one seed; 1 to 100 samples per length and seed.' at screen 0.5, screen 0.02888 center noenhanced textcolor rgb '#555555' font ',10'
  set label 11 "The paper\047s sizes, 20000 steps instead of 40000. Missing: seeds 234054, 146317; Copy; 12 lines." at screen 0.5, screen 0.01568 center noenhanced textcolor rgb '#555555' font ',10'
  set lmargin at screen 0.06078
  set rmargin at screen 0.31373
  set tmargin at screen 0.94224
  set bmargin at screen 0.77888
  set title 'Copy2, Sinusoidal' offset 0,-0.6 textcolor rgb '#222222' noenhanced
  set xlabel 'length' offset 0,0.6 noenhanced
  set ylabel 'token accuracy' offset 1.2,0 noenhanced
  unset object 1
  set object 1 rectangle from first 1.5, graph 0 to first 20.5, graph 1 behind fc rgb '#ececec' fs solid noborder
  plot \
    'token_accuracy.dat' index 0 using 1:3:4 with filledcurves fc rgb '#c04a00' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 1 using 1:3:4 with filledcurves fc rgb '#cc79a7' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 0 using 1:2 with linespoints lc rgb '#c04a00' dt 1 lw 2 pt 5 ps 0.8 pi 1 notitle, \
    'token_accuracy.dat' index 1 using 1:2 with linespoints lc rgb '#cc79a7' dt (5,3) lw 2 pt 8 ps 0.8 pi 1 notitle
  unset label
  unset arrow
  set lmargin at screen 0.38235
  set rmargin at screen 0.64706
  set tmargin at screen 0.94224
  set bmargin at screen 0.77888
  set title 'Reverse, Sinusoidal' offset 0,-0.6 textcolor rgb '#222222' noenhanced
  set xlabel 'length' offset 0,0.6 noenhanced
  set ylabel '' offset 1.2,0 noenhanced
  unset object 1
  set object 1 rectangle from first 1.5, graph 0 to first 20.5, graph 1 behind fc rgb '#ececec' fs solid noborder
  plot \
    'token_accuracy.dat' index 2 using 1:3:4 with filledcurves fc rgb '#c04a00' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 3 using 1:3:4 with filledcurves fc rgb '#cc79a7' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 2 using 1:2 with linespoints lc rgb '#c04a00' dt 1 lw 2 pt 5 ps 0.8 pi 1 notitle, \
    'token_accuracy.dat' index 3 using 1:2 with linespoints lc rgb '#cc79a7' dt (5,3) lw 2 pt 8 ps 0.8 pi 1 notitle
  set lmargin at screen 0.71569
  set rmargin at screen 0.98039
  set tmargin at screen 0.94224
  set bmargin at screen 0.77888
  set title 'Addition, Sinusoidal' offset 0,-0.6 textcolor rgb '#222222' noenhanced
  set xlabel 'length' offset 0,0.6 noenhanced
  set ylabel '' offset 1.2,0 noenhanced
  unset object 1
  set object 1 rectangle from first 0.5, graph 0 to first 8.5, graph 1 behind fc rgb '#ececec' fs solid noborder
  plot \
    'token_accuracy.dat' index 4 using 1:3:4 with filledcurves fc rgb '#c04a00' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 5 using 1:3:4 with filledcurves fc rgb '#cc79a7' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 4 using 1:2 with linespoints lc rgb '#c04a00' dt 1 lw 2 pt 5 ps 0.8 pi 1 notitle, \
    'token_accuracy.dat' index 5 using 1:2 with linespoints lc rgb '#cc79a7' dt (5,3) lw 2 pt 8 ps 0.8 pi 1 notitle
  set lmargin at screen 0.06078
  set rmargin at screen 0.31373
  set tmargin at screen 0.71947
  set bmargin at screen 0.55611
  set title 'Sort, Sinusoidal' offset 0,-0.6 textcolor rgb '#222222' noenhanced
  set xlabel 'length' offset 0,0.6 noenhanced
  set ylabel 'token accuracy' offset 1.2,0 noenhanced
  unset object 1
  set object 1 rectangle from first 1.5, graph 0 to first 8.5, graph 1 behind fc rgb '#ececec' fs solid noborder
  plot \
    'token_accuracy.dat' index 6 using 1:3:4 with filledcurves fc rgb '#c04a00' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 7 using 1:3:4 with filledcurves fc rgb '#cc79a7' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 6 using 1:2 with linespoints lc rgb '#c04a00' dt 1 lw 2 pt 5 ps 0.8 pi 1 notitle, \
    'token_accuracy.dat' index 7 using 1:2 with linespoints lc rgb '#cc79a7' dt (5,3) lw 2 pt 8 ps 0.8 pi 1 notitle
  set lmargin at screen 0.38235
  set rmargin at screen 0.64706
  set tmargin at screen 0.71947
  set bmargin at screen 0.55611
  set title 'Summation, Sinusoidal' offset 0,-0.6 textcolor rgb '#222222' noenhanced
  set xlabel 'length' offset 0,0.6 noenhanced
  set ylabel '' offset 1.2,0 noenhanced
  unset object 1
  set object 1 rectangle from first 1.5, graph 0 to first 8.5, graph 1 behind fc rgb '#ececec' fs solid noborder
  plot \
    'token_accuracy.dat' index 8 using 1:3:4 with filledcurves fc rgb '#c04a00' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 9 using 1:3:4 with filledcurves fc rgb '#cc79a7' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 8 using 1:2 with linespoints lc rgb '#c04a00' dt 1 lw 2 pt 5 ps 0.8 pi 1 notitle, \
    'token_accuracy.dat' index 9 using 1:2 with linespoints lc rgb '#cc79a7' dt (5,3) lw 2 pt 8 ps 0.8 pi 1 notitle
  set lmargin at screen 0.71569
  set rmargin at screen 0.98039
  set tmargin at screen 0.71947
  set bmargin at screen 0.55611
  set title 'SCAN, Sinusoidal' offset 0,-0.6 textcolor rgb '#222222' noenhanced
  set xlabel 'length' offset 0,0.6 noenhanced
  set ylabel '' offset 1.2,0 noenhanced
  unset object 1
  set object 1 rectangle from first 0.5, graph 0 to first 25.5, graph 1 behind fc rgb '#ececec' fs solid noborder
  plot \
    'token_accuracy.dat' index 10 using 1:3:4 with filledcurves fc rgb '#c04a00' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 11 using 1:3:4 with filledcurves fc rgb '#cc79a7' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 10 using 1:2 with linespoints lc rgb '#c04a00' dt 1 lw 2 pt 5 ps 0.8 pi 1 notitle, \
    'token_accuracy.dat' index 11 using 1:2 with linespoints lc rgb '#cc79a7' dt (5,3) lw 2 pt 8 ps 0.8 pi 1 notitle
  set lmargin at screen 0.06078
  set rmargin at screen 0.31373
  set tmargin at screen 0.49670
  set bmargin at screen 0.33333
  set title 'Copy2, RoPE' offset 0,-0.6 textcolor rgb '#222222' noenhanced
  set xlabel 'length' offset 0,0.6 noenhanced
  set ylabel 'token accuracy' offset 1.2,0 noenhanced
  unset object 1
  set object 1 rectangle from first 1.5, graph 0 to first 20.5, graph 1 behind fc rgb '#ececec' fs solid noborder
  plot \
    'token_accuracy.dat' index 12 using 1:3:4 with filledcurves fc rgb '#0062a0' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 13 using 1:3:4 with filledcurves fc rgb '#cc79a7' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 12 using 1:2 with linespoints lc rgb '#0062a0' dt 1 lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'token_accuracy.dat' index 13 using 1:2 with linespoints lc rgb '#cc79a7' dt (5,3) lw 2 pt 9 ps 0.8 pi 1 notitle
  set lmargin at screen 0.38235
  set rmargin at screen 0.64706
  set tmargin at screen 0.49670
  set bmargin at screen 0.33333
  set title 'Reverse, RoPE' offset 0,-0.6 textcolor rgb '#222222' noenhanced
  set xlabel 'length' offset 0,0.6 noenhanced
  set ylabel '' offset 1.2,0 noenhanced
  unset object 1
  set object 1 rectangle from first 1.5, graph 0 to first 20.5, graph 1 behind fc rgb '#ececec' fs solid noborder
  plot \
    'token_accuracy.dat' index 14 using 1:3:4 with filledcurves fc rgb '#0062a0' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 15 using 1:3:4 with filledcurves fc rgb '#cc79a7' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 14 using 1:2 with linespoints lc rgb '#0062a0' dt 1 lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'token_accuracy.dat' index 15 using 1:2 with linespoints lc rgb '#cc79a7' dt (5,3) lw 2 pt 9 ps 0.8 pi 1 notitle
  set lmargin at screen 0.71569
  set rmargin at screen 0.98039
  set tmargin at screen 0.49670
  set bmargin at screen 0.33333
  set title 'Addition, RoPE' offset 0,-0.6 textcolor rgb '#222222' noenhanced
  set xlabel 'length' offset 0,0.6 noenhanced
  set ylabel '' offset 1.2,0 noenhanced
  unset object 1
  set object 1 rectangle from first 0.5, graph 0 to first 8.5, graph 1 behind fc rgb '#ececec' fs solid noborder
  plot \
    'token_accuracy.dat' index 16 using 1:3:4 with filledcurves fc rgb '#0062a0' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 17 using 1:3:4 with filledcurves fc rgb '#cc79a7' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 16 using 1:2 with linespoints lc rgb '#0062a0' dt 1 lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'token_accuracy.dat' index 17 using 1:2 with linespoints lc rgb '#cc79a7' dt (5,3) lw 2 pt 9 ps 0.8 pi 1 notitle
  set lmargin at screen 0.06078
  set rmargin at screen 0.31373
  set tmargin at screen 0.27393
  set bmargin at screen 0.11056
  set title 'Sort, RoPE' offset 0,-0.6 textcolor rgb '#222222' noenhanced
  set xlabel 'length' offset 0,0.6 noenhanced
  set ylabel 'token accuracy' offset 1.2,0 noenhanced
  unset object 1
  set object 1 rectangle from first 1.5, graph 0 to first 8.5, graph 1 behind fc rgb '#ececec' fs solid noborder
  plot \
    'token_accuracy.dat' index 18 using 1:3:4 with filledcurves fc rgb '#0062a0' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 19 using 1:3:4 with filledcurves fc rgb '#cc79a7' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 18 using 1:2 with linespoints lc rgb '#0062a0' dt 1 lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'token_accuracy.dat' index 19 using 1:2 with linespoints lc rgb '#cc79a7' dt (5,3) lw 2 pt 9 ps 0.8 pi 1 notitle
  set lmargin at screen 0.38235
  set rmargin at screen 0.64706
  set tmargin at screen 0.27393
  set bmargin at screen 0.11056
  set title 'Summation, RoPE' offset 0,-0.6 textcolor rgb '#222222' noenhanced
  set xlabel 'length' offset 0,0.6 noenhanced
  set ylabel '' offset 1.2,0 noenhanced
  unset object 1
  set object 1 rectangle from first 1.5, graph 0 to first 8.5, graph 1 behind fc rgb '#ececec' fs solid noborder
  plot \
    'token_accuracy.dat' index 20 using 1:3:4 with filledcurves fc rgb '#0062a0' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 21 using 1:3:4 with filledcurves fc rgb '#cc79a7' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 20 using 1:2 with linespoints lc rgb '#0062a0' dt 1 lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'token_accuracy.dat' index 21 using 1:2 with linespoints lc rgb '#cc79a7' dt (5,3) lw 2 pt 9 ps 0.8 pi 1 notitle
  set lmargin at screen 0.71569
  set rmargin at screen 0.98039
  set tmargin at screen 0.27393
  set bmargin at screen 0.11056
  set title 'SCAN, RoPE' offset 0,-0.6 textcolor rgb '#222222' noenhanced
  set xlabel 'length' offset 0,0.6 noenhanced
  set ylabel '' offset 1.2,0 noenhanced
  unset object 1
  set object 1 rectangle from first 0.5, graph 0 to first 25.5, graph 1 behind fc rgb '#ececec' fs solid noborder
  plot \
    'token_accuracy.dat' index 22 using 1:3:4 with filledcurves fc rgb '#0062a0' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 23 using 1:3:4 with filledcurves fc rgb '#cc79a7' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 22 using 1:2 with linespoints lc rgb '#0062a0' dt 1 lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'token_accuracy.dat' index 23 using 1:2 with linespoints lc rgb '#cc79a7' dt (5,3) lw 2 pt 9 ps 0.8 pi 1 notitle
  unset multiplot
  set output
}

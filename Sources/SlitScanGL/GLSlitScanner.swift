import SlitScan

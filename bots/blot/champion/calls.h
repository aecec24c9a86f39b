/* What makes a seat call: logarithms, made by fit_calls.py. By kind: of bids with trumps
 * and without, of contra and recontra. */
static const double TRUMPS[8] = {0.87, 1.03, 2.07, 1.05, 3.48, 1.40, 1.30, 0.48};
static const double PLAIN[2][8] = {
    {-0.38, -0.36, -0.62, -0.34, -0.86, -0.43, -0.46, -0.04},
    {-0.32, -0.28, -0.42, 0.63, -0.88, -0.10, 0.11, 2.06},
};
static const double AUCTION[2][8] = {
    {1.02, -1.85, -1.04, -2.89, 0.12, 2.77, -3.46, 0.15},
    {0.10, 0.31, -1.43, -2.06, 0.43, 2.26, -2.42, 0.23},
};
static const double DOUBLES[2][10] = {
    {-15.63, 4.42, 0.73, 4.39, 1.59, 0.38, 1.28, 0.97, 0.28, 0.52},
    {-2.71, 1.96, -0.07, 0.35, 0.27, 0.27, 0.56, 1.15, 0.18, 0.18},
};

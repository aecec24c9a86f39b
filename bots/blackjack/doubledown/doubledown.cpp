// DoubleDown [KOTH 2011]: doubles, whatever it holds.

#include <iostream>

int main()
{
    std::cout << "D\n";
}

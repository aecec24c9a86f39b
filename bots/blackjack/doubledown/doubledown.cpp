// DoubleDown: doubles, whatever it holds.

#include <iostream>

int main()
{
    std::cout << "D\n";
}

! A whole bot for every game: any answer that is allowed, and at blackjack a sensible one.
program bot
  use, intrinsic :: iso_fortran_env, only: output_unit
  implicit none
  integer, parameter :: longest = 8192
  character(len=longest) :: line, word
  integer :: i, status

  if (command_argument_count() > 0) then  ! argv: the question is in the arguments
    line = ''
    do i = 1, command_argument_count()
      call get_command_argument(i, word)
      line = trim(line) // ' ' // word
    end do
    call answer(trim(adjustl(line)))
    stop
  end if
  do                                      ! stdin: a question a line, until the game ends
    read (*, '(a)', iostat=status) line
    if (status /= 0) exit
    if (line(1:1) == '#') cycle           ! "# ..." is a notice and wants no answer
    call answer(trim(line))
    flush (output_unit)                   ! send it now, don't keep it in a buffer
  end do

contains

  ! Blackjack's words are score, hand, visible cards, stake and chips. Every other game's begin
  ! with the game, the phase and the legal answers, joined by commas.
  subroutine answer(line)
    character(len=*), intent(in) :: line
    character(len=:), allocatable :: legal
    integer :: score

    if (count([(line(i:i) == ' ', i = 1, len(line))]) == 4) then
      read (line, *) score
      print '(a)', merge('H', 'S', score < 17)
      return
    end if
    legal = field(line, 3, ' ')
    if (field(line, 2, ' ') == 'discard') then  ! at tarot the taker puts six cards away
      print '(*(a))', (field(legal, i, ',') // ',', i = 1, 5), field(legal, 6, ',')
    else
      print '(a)', field(field(legal, 1, ','), 1, '.')  ! "0..13": all numbers from 0 to 13
    end if
  end subroutine

  ! The number-th of the parts into which a separator cuts a text.
  pure function field(text, number, separator)
    character(len=*), intent(in) :: text
    integer, intent(in) :: number
    character, intent(in) :: separator
    character(len=:), allocatable :: field
    integer :: skipped, length

    field = text // separator
    do skipped = 2, number
      field = field(index(field, separator) + 1:)
    end do
    length = index(field, separator) - 1
    field = field(:length)
  end function

end program

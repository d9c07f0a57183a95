# Changes what a path names, again and again: perl swapper.pl ONE OTHER SECONDS. Where the system can (renameat2 with RENAME_EXCHANGE),
# both names are always there; elsewhere one of them is away for a moment.
use strict; use warnings; use POSIX ();
my ($one, $other, $seconds) = @ARGV;
my $call = { x86_64 => 316, aarch64 => 276 }->{ (POSIX::uname())[4] };
my $until = time + $seconds;
my $count = 0;
while (time < $until) {
  for (1 .. 100) {
    if (!defined $call || syscall($call, -100, $one, -100, $other, 2) != 0) {
      undef $call;
      rename $one, "$one.away"; rename $other, $one; rename "$one.away", $other;
    }
    $count++;
    select undef, undef, undef, rand 0.002 if $_ % 5 == 0;
  }
}
print "$count\n";

// What the device API writes to the chip's registers, what it waits for, and what it refuses.
#include "firmware/device/device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "firmware/device/errors.h"
#include "models/tensor_core/tensor_core_registers.h"
#include "tests/unit/device/register_bus_stub.h"

namespace podsim::firmware {
namespace {

using semaphore::kAdd;
using semaphore::kValue;
using semaphore::kWait;
using semaphore::register_address;

constexpr ChipId kSelf{1};

class DeviceTest : public ::testing::Test {
 protected:
  DeviceTest() {
    in = device.allocate().hbm(100, DType::kF32);
    out = device.allocate().hbm(100, DType::kF32);
    dma = device.allocate().dma_semaphores("dma", 2);
    regular = device.allocate().regular_semaphores("regular", 1)[0];
  }
  void start(Task& task) {
    task.start([](void* flag) { *static_cast<bool*>(flag) = true; }, &done);
  }
  [[nodiscard]] dma::Descriptor descriptor(std::size_t write) const {
    return dma::Descriptor::from_words(bus.writes.at(write).words);
  }
  // The message of a ProgramError without its "file:line: ".
  template <class Call>
  static std::string refusal(Call&& call) {
    try {
      call();
    } catch (const ProgramError& error) {
      const std::string text = error.what();
      EXPECT_THAT(text, ::testing::HasSubstr("device_test.cpp:")) << "it names the program's line";
      return text.substr(text.find(": ") + 2);
    }
    return "nothing";
  }

  testing::RegisterBusStub bus;
  ici::TorusShape torus{{{"x", 4, true}}};
  Device device{kSelf, bus, torus,
                Resources{.hbm = kMiB,
                          .vmem = kMiB,
                          .dma_semaphores = 16,
                          .regular_semaphores = 8,
                          .barrier_semaphores = 2,
                          .dma_engines = 2,
                          .tensor_cores = 2,
                          .contexts = 4}};
  Buffer in, out;
  SemaphoreArray<DmaSemaphore> dma;
  RegularSemaphore regular;
  bool done = false;
};

TEST_F(DeviceTest, ARemoteCopyIsADescriptorWithBothSemaphores) {
  device.start_remote_copy({.src = in, .dst = out, .to = ChipId{2}, .send = dma[0], .recv = dma[1]});
  ASSERT_EQ(bus.writes.size(), 1u);
  EXPECT_EQ(bus.writes[0].address, unit_window(kSelf, Region::kDma, 0));
  const dma::Descriptor copy = descriptor(0);
  EXPECT_EQ(copy.source, in.address);
  EXPECT_EQ(copy.destination, on_chip(out.address, ChipId{2}));
  EXPECT_EQ(copy.bytes, 400u);
  EXPECT_EQ(copy.send_semaphore, register_address(kSelf, dma[0].index, kAdd));
  EXPECT_EQ(copy.recv_semaphore, register_address(ChipId{2}, dma[1].index, kAdd));
}

TEST_F(DeviceTest, CopiesGoToTheEnginesInTurn) {
  for (unsigned i = 0; i < 4; ++i) device.start_copy(in, out, dma[0]);
  for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(bus.writes.at(i).address, unit_window(kSelf, Region::kDma, i % 2));
}

TEST_F(DeviceTest, ACopyMayNameItsEngineAndItsPriority) {
  device.start_copy(in, out, dma[0], {.priority = Priority::kUrgent, .engine = 1});
  device.start_remote_copy({.src = in,
                            .dst = out,
                            .to = ChipId{2},
                            .send = dma[0],
                            .recv = dma[1],
                            .how = {.priority = Priority::kBackground}});
  EXPECT_EQ(bus.writes.at(0).address, unit_window(kSelf, Region::kDma, 1));
  EXPECT_EQ(descriptor(0).priority, Priority::kUrgent);
  EXPECT_EQ(bus.writes.at(1).address, unit_window(kSelf, Region::kDma, 0)) << "the turns go on where they were";
  EXPECT_EQ(descriptor(1).priority, Priority::kBackground);
  EXPECT_THROW(device.start_copy(in, out, dma[0], {.engine = 2}), ProgramError);
}

TEST_F(DeviceTest, ATileIsGatheredIntoABufferAndScatteredFromIt) {
  const Matrix matrix{in, 10};  // 10 x 10 of f32
  const Tile tile = matrix.tile({2, 5}, {4, 8});
  const Buffer block = out.slice({0, 12});
  device.start_copy(tile, block, dma[0]);
  device.start_copy(block, tile, dma[0]);
  const dma::Descriptor gather = descriptor(0);
  EXPECT_EQ(gather.source, in.address + (2 * 10 + 4) * 4);
  EXPECT_EQ(gather.bytes, 48u);
  EXPECT_EQ(gather.rows, 3u);
  EXPECT_EQ(gather.source_pitch, 40u);
  EXPECT_EQ(gather.destination_pitch, 16u);
  const dma::Descriptor scatter = descriptor(1);
  EXPECT_EQ(scatter.source_pitch, 16u);
  EXPECT_EQ(scatter.destination_pitch, 40u);
  EXPECT_EQ(scatter.destination, tile.address);
}

TEST_F(DeviceTest, TilesOfOneShapeAreCopiedToEachOther) {
  const Tile from = Matrix{in, 10}.tile({0, 4}, {0, 5});
  const Tile to = Matrix{out, 20}.tile({1, 5}, {10, 15});
  device.start_remote_copy({.src = from, .dst = to, .to = ChipId{2}, .send = dma[0], .recv = dma[1]});
  EXPECT_EQ(descriptor(0).rows, 4u);
  EXPECT_EQ(descriptor(0).source_pitch, 40u);
  EXPECT_EQ(descriptor(0).destination_pitch, 80u);
  EXPECT_EQ(descriptor(0).destination, on_chip(to.address, ChipId{2}));
  device.start_copy(Matrix{in, 10}.tile({0, 4}, {0, 10}), out.slice({0, 40}), dma[0]);
  EXPECT_EQ(bus.writes.at(1).words.size(), 6u) << "all of its columns: in one piece";
}

TEST_F(DeviceTest, TilesThatDoNotFitAreErrors) {
  const Matrix matrix{in, 10};
  EXPECT_THROW((void)matrix.tile({0, 11}, {0, 1}), ProgramError);
  EXPECT_THROW((void)matrix.tile({0, 1}, {5, 11}), ProgramError);
  EXPECT_THROW(device.start_copy(matrix.tile({0, 4}, {0, 3}), matrix.tile({0, 3}, {0, 4}), dma[0]), ProgramError);
  EXPECT_THROW(device.start_copy(matrix.tile({0, 4}, {0, 3}), out.slice({0, 11}), dma[0]), ProgramError);
  const Tile overlapping{out.address, 4, 5, 3, DType::kF32};
  EXPECT_THROW(device.start_copy(in.slice({0, 20}), overlapping, dma[0]), ProgramError);
  EXPECT_TRUE(bus.writes.empty());
}

TEST_F(DeviceTest, ALocalCopyCountsOnItsOneSemaphore) {
  device.start_copy(in, out, dma[1]);
  EXPECT_EQ(descriptor(0).destination, out.address);
  EXPECT_EQ(descriptor(0).send_semaphore, dma::kNoSemaphore);
  EXPECT_EQ(descriptor(0).recv_semaphore, register_address(kSelf, dma[1].index, kAdd));
}

TEST_F(DeviceTest, AwaitingARemoteCopyWaitsForSendThenForReceive) {
  const auto program = [&]() -> Task {
    co_await device.start_remote_copy({.src = in, .dst = out, .to = ChipId{2}, .send = dma[0], .recv = dma[1]});
  };
  Task task = program();
  start(task);
  EXPECT_EQ(bus.oldest().address, register_address(kSelf, dma[0].index, kWait));
  EXPECT_EQ(bus.oldest().value, 400u);
  bus.add(register_address(kSelf, dma[1].index, kValue), 400);
  EXPECT_EQ(bus.run(), 0u) << "the data is here, but the source is not free yet";
  bus.add(register_address(kSelf, dma[0].index, kValue), 400);
  EXPECT_EQ(bus.run(), 2u);
  EXPECT_TRUE(done);
  for (const auto& [address, value] : bus.semaphores) EXPECT_EQ(value, 0u);
}

TEST_F(DeviceTest, TheTwoWaitsOfARemoteCopyMayBeMadeOneByOne) {
  const auto program = [&]() -> Task {
    const RemoteCopy copy =
        device.start_remote_copy({.src = in, .dst = out, .to = ChipId{2}, .send = dma[0], .recv = dma[1]});
    co_await copy.wait_recv();
    EXPECT_EQ(bus.blocked(), 0u);
    co_await copy.wait_send();
  };
  Task task = program();
  start(task);
  EXPECT_EQ(bus.oldest().address, register_address(kSelf, dma[1].index, kWait));
  bus.add(register_address(kSelf, dma[1].index, kValue), 400);
  EXPECT_EQ(bus.run(), 1u);
  EXPECT_EQ(bus.oldest().address, register_address(kSelf, dma[0].index, kWait));
  bus.add(register_address(kSelf, dma[0].index, kValue), 400);
  EXPECT_EQ(bus.run(), 1u);
  EXPECT_TRUE(done);
}

TEST_F(DeviceTest, AWaitRemembersItsProgramLine) {
  const auto program = [&]() -> Task { co_await device.wait(regular, 3); };
  const unsigned line = __LINE__ - 1;
  Task task = program();
  start(task);
  EXPECT_EQ(bus.oldest().point.where.line(), line);
  EXPECT_STREQ(bus.oldest().point.what, "a REGULAR semaphore");
  EXPECT_EQ(bus.oldest().value, 3u);
  bus.add(register_address(kSelf, regular.index, kValue), 3);
  bus.run();
}

TEST_F(DeviceTest, SignalsGoToTheOtherChipsRegister) {
  device.signal(regular, ChipId{3}, 5);
  device.signal(device.allocate().barrier_semaphore(1), ChipId{0});
  EXPECT_EQ(bus.writes.at(0).address, register_address(ChipId{3}, 16, kAdd));
  EXPECT_EQ(bus.writes.at(0).words, std::vector<std::uint64_t>{5});
  EXPECT_EQ(bus.writes.at(1).address, register_address(ChipId{0}, 16 + 8 + 1, kAdd));
  EXPECT_EQ(bus.writes.at(1).words, std::vector<std::uint64_t>{1});
}

TEST_F(DeviceTest, ReadsASemaphoreAndDelays) {
  std::uint64_t value = 0;
  const auto program = [&]() -> Task {
    value = co_await device.read(regular);
    co_await device.delay(500);
  };
  bus.add(register_address(kSelf, regular.index, kValue), 9);
  Task task = program();
  start(task);
  bus.run();
  EXPECT_EQ(value, 9u);
  bus.time = 499;
  bus.run();
  EXPECT_FALSE(done);
  bus.time = 500;
  bus.run();
  EXPECT_TRUE(done);
  EXPECT_EQ(device.now(), 500);
}

TEST_F(DeviceTest, AVectorOperationIsACommandThatCountsTheDestinationsBytes) {
  device.start_vector(Opcode::kAdd, in, in, out, dma[0]);
  device.start_zero(out, dma[0]);
  EXPECT_EQ(bus.writes.at(0).address, unit_window(kSelf, Region::kTensorCore, 0));
  EXPECT_EQ(bus.writes.at(1).address, unit_window(kSelf, Region::kTensorCore, 1));
  const auto command = tensor_core::Command::from_words(bus.writes[0].words.data());
  EXPECT_EQ(command.opcode, Opcode::kAdd);
  EXPECT_EQ(command.a, in.address);
  EXPECT_EQ(command.b, in.address);
  EXPECT_EQ(command.destination, out.address);
  EXPECT_EQ(command.count, 100u);
  EXPECT_EQ(command.amount, 400u);
  EXPECT_EQ(command.semaphore, register_address(kSelf, dma[0].index, kAdd));
  EXPECT_EQ(tensor_core::Command::from_words(bus.writes[1].words.data()).opcode, Opcode::kFill);
}

TEST_F(DeviceTest, RefusesCopiesBetweenBuffersOfDifferentSize) {
  const Buffer half = out.shard(0, 2);
  EXPECT_EQ(refusal([&] { device.start_copy(in, half, dma[0]); }), "a copy of 400 bytes into a buffer of 200 bytes");
  EXPECT_EQ(refusal([&] {
              device.start_remote_copy({.src = half, .dst = in, .to = ChipId{2}, .send = dma[0], .recv = dma[1]});
            }),
            "a copy of 200 bytes into a buffer of 400 bytes");
  EXPECT_NE(refusal([&] { device.start_vector(Opcode::kAdd, in, half, out, dma[0]); }), "nothing");
  EXPECT_TRUE(bus.writes.empty());
}

TEST_F(DeviceTest, RefusesChipsThatThePodHasNot) {
  EXPECT_EQ(refusal([&] {
              device.start_remote_copy({.src = in, .dst = out, .to = ChipId{4}, .send = dma[0], .recv = dma[1]});
            }),
            "a copy to chip 4, of a pod of 4");
  // A signal to a chip that is not there would go round the network for ever.
  EXPECT_EQ(refusal([&] { device.signal(regular, ChipId{4}); }), "a signal to chip 4, of a pod of 4");
  EXPECT_EQ(refusal([&] { device.signal(device.allocate().barrier_semaphore(0), ChipId{99}); }),
            "a signal to chip 99, of a pod of 4");
  EXPECT_TRUE(bus.writes.empty());
}

}  // namespace
}  // namespace podsim::firmware

#include "platform/cli/process_pod.h"

#include <stdexcept>

namespace podsim::cli {

pod::Pod& build_process_pod(const pod::PodConfig& config, bool with_data, pod::Extent extent,
                            const config::SourceMark& mark) {
  try {
    return *new pod::Pod(config, with_data, extent);
  } catch (const std::invalid_argument& error) {
    throw config::ConfigError(mark, {}, error.what());
  }
}

}  // namespace podsim::cli
